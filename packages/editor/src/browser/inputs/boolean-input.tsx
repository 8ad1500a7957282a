import { useTexts } from '../language/language.js';
import type { InputState } from '../form/form-context.js';
import { Choice } from './choice.js';

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
    <Choice
      {...input}
      value={String(value)}
      onChange={(chosen) => onChange(chosen === 'null' ? null : chosen === 'true')}
      options={[
        ...(!required || value === null ? [{ value: 'null', label: texts.notSet }] : []),
        { value: 'true', label: texts.yes },
        { value: 'false', label: texts.no },
      ]}
    />
  );
}
