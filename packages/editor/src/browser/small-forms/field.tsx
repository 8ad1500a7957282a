import { useId, useState, type ChangeEvent, type ComponentProps, type SyntheticEvent } from 'react';
import { useTexts } from '../language/language.js';
import { explainValidity } from './explain-validity.js';

type Element = HTMLInputElement | HTMLTextAreaElement;

interface Props extends Omit<ComponentProps<'input'>, 'id' | 'onChange' | 'onInvalid'> {
  readonly label: string;
  /** What helps to fill it in. */
  readonly hint?: string | undefined;
  /** What is said of a value that does not match the pattern. */
  readonly wrong?: string;
  /** It has several lines. */
  readonly rows?: number;
  readonly onChange?: (text: string) => void;
}

/**
 * A field of a small form, such as one in a dialog. The browser checks it when the form is sent; what it finds is said
 * beside the field, in the language of the editor.
 */
export function Field({ label, hint, wrong, rows, onChange, ...input }: Props) {
  const texts = useTexts().rules;
  const id = useId();
  const [issue, setIssue] = useState<string>();
  const shared = {
    ...input,
    id,
    'aria-invalid': issue !== undefined,
    'aria-describedby': [hint && `${id}-hint`, issue && `${id}-issue`].filter(Boolean).join(' ') || undefined,
    onChange: ({ currentTarget }: ChangeEvent<Element>) => {
      if (currentTarget.validity.valid) setIssue(undefined);
      onChange?.(currentTarget.value);
    },
    onInvalid: (event: SyntheticEvent<Element>) => {
      const { currentTarget: element } = event;
      event.preventDefault();
      setIssue(explainValidity(element.validity, element, texts, wrong));
      if (element.form?.querySelector(':is(input, textarea, select):invalid') === element) element.focus();
    },
  };
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      {rows === undefined ? (
        <input {...shared} />
      ) : (
        <textarea {...(shared as ComponentProps<'textarea'>)} rows={rows} />
      )}
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {issue !== undefined && (
        <p className="issue" id={`${id}-issue`}>
          {issue}
        </p>
      )}
    </div>
  );
}
