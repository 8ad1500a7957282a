import type { InputState } from '../form/fields.js';

interface Props {
  readonly input: InputState;
  /** Null: not set. */
  readonly value: boolean | null;
  readonly required: boolean;
  readonly onChange: (value: boolean | null) => void;
}

export const BooleanInput = ({ input, value, required, onChange }: Props) => (
  <select
    {...input}
    value={String(value)}
    onChange={({ target }) => onChange(target.value === 'null' ? null : target.value === 'true')}
  >
    {(!required || value === null) && <option value="null">Not set</option>}
    <option value="true">Yes</option>
    <option value="false">No</option>
  </select>
);
