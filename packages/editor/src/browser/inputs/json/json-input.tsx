import type { InputState } from '../../form/form-context.js';
import { jsonParts } from './json.js';

interface Props {
  readonly input: InputState;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** JSON in a field as high as its text. The colours are in the same text behind it: a field has only one colour. */
export function JsonInput({ input, value, onChange }: Props) {
  return (
    <div className="json">
      <pre aria-hidden="true">
        {jsonParts(value).map(({ kind, text }, index) => (
          <span key={index} className={kind}>
            {text}
          </span>
        ))}
        {/* A line break at the end has a line after it only in a field. */}
        {'\n'}
      </pre>
      <textarea {...input} spellCheck={false} value={value} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}
