import { useWritten, type InputState } from '../form/form-context.js';
import { useTexts } from '../language/language.js';
import { dateKindOf, isJson } from '../model/scalars.js';
import type { ScalarAttribute } from '../model/schema.js';
import { Choice } from './choice.js';
import { DateInput } from './dates/date-input.js';
import { JsonInput } from './json/json-input.js';

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
};

/** A value that is typed: text, numbers, dates, enumerations and JSON. */
export function TextInput({ attribute, input, value, onChange }: Props) {
  const texts = useTexts().common;
  const { type, values, placeholder } = attribute;
  const written = useWritten(attribute);
  const kind = dateKindOf(attribute);
  if (isJson(attribute)) return <JsonInput input={input} value={value} onChange={onChange} />;
  if (kind !== undefined) return <DateInput {...input} kind={kind} value={value} onChange={onChange} />;
  if (type === 'enumeration') {
    return (
      <Choice
        {...input}
        value={value}
        onChange={onChange}
        options={[
          { value: '', label: placeholder ?? texts.notSet },
          ...(values ?? []).map((name) => ({ value: name, label: name })),
        ]}
      />
    );
  }
  if (type === 'text')
    return (
      <textarea
        {...written}
        {...input}
        placeholder={placeholder}
        rows={4}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  return (
    <input
      type="text"
      {...written}
      {...fields[type]}
      {...input}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
