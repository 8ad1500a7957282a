import slugify from '@sindresorhus/slugify';
import { useTexts } from '../language/language.js';
import type { InputState } from '../form/form-context.js';

interface Props {
  readonly input: InputState;
  readonly placeholder: string | undefined;
  readonly value: string;
  /** The text that it is generated from. */
  readonly source: string;
  readonly onChange: (value: string) => void;
}

/** Generates the same text as the service does for an empty value, if the definition says so. */
export function UidInput({ input, placeholder, value, source, onChange }: Props) {
  const texts = useTexts().inputs;
  return (
    <div className="row">
      <input
        type="text"
        {...input}
        placeholder={placeholder}
        value={value}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
      <button type="button" disabled={input.disabled || source === ''} onClick={() => onChange(slugify(source))}>
        {texts.generate}
      </button>
    </div>
  );
}
