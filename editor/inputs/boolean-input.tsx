import { useTexts } from '../language/language.js';
import type { InputState } from '../form/form-context.js';

interface Props {
  readonly input: InputState;
  /** Null: not set. */
  readonly value: boolean | null;
  readonly required: boolean;
  readonly onChange: (value: boolean | null) => void;
}

export function BooleanInput({ input, value, required, onChange }: Props) {
  const texts = useTexts().common;
  return (
    <select
      {...input}
      value={String(value)}
      onChange={({ target }) => onChange(target.value === 'null' ? null : target.value === 'true')}
    >
      {(!required || value === null) && <option value="null">{texts.notSet}</option>}
      <option value="true">{texts.yes}</option>
      <option value="false">{texts.no}</option>
    </select>
  );
}
