import type { InputState } from '../form/form-context.js';
import { useTexts } from '../language/language.js';
import type { ScalarAttribute } from '../model/schema.js';

interface Props {
  readonly attribute: ScalarAttribute;
  readonly input: InputState;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The fields of the browser for types; those that are missing are plain text. */
const fields: Readonly<Record<string, object>> = {
  email: { type: 'email', autoComplete: 'off' },
  password: { type: 'password', autoComplete: 'new-password' },
  integer: { inputMode: 'numeric' },
  biginteger: { inputMode: 'numeric' },
  decimal: { inputMode: 'decimal' },
  float: { inputMode: 'decimal' },
  date: { type: 'date' },
  time: { type: 'time', step: 1 },
  datetime: { type: 'datetime-local', step: 1 },
  timestamp: { type: 'datetime-local', step: 1 },
};
const areas: Readonly<Record<string, number>> = { text: 4, json: 8, blocks: 8, array: 8 };

/** A value that is typed: text, numbers, dates, enumerations and JSON. */
export function TextInput({ attribute: { type, values }, input, value, onChange }: Props) {
  const texts = useTexts().common;
  if (type === 'enumeration') {
    return (
      <select {...input} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{texts.notSet}</option>
        {values?.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    );
  }
  const rows = areas[type];
  if (rows !== undefined) {
    return (
      <textarea
        {...input}
        rows={rows}
        className={type === 'text' ? '' : 'code'}
        spellCheck={type === 'text'}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <input type="text" {...fields[type]} {...input} value={value} onChange={(event) => onChange(event.target.value)} />
  );
}
