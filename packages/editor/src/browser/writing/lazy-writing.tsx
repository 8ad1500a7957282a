import { lazy, Suspense } from 'react';
import { useWritten, type InputState } from '../form/form-context.js';
import { type ScalarAttribute } from '../model/schema.js';
import type { Compared } from './writing-input.js';

/** The framework for texts is as large as half of the editor: forms without them do without it. */
const WritingInput = lazy(async () => ({ default: (await import('./writing-input.js')).WritingInput }));

export const isWritten = (attribute: { readonly type: string }): boolean =>
  attribute.type === 'blocks' || attribute.type === 'richtext';

interface Props {
  readonly attribute: Pick<ScalarAttribute, 'label' | 'type' | 'shared' | 'placeholder'>;
  readonly input: InputState;
  readonly value: string;
  readonly compared?: Compared | undefined;
  readonly onChange: (value: string) => void;
}

/** A text with headings, lists and images. */
export function LazyWriting({ attribute, ...props }: Props) {
  const { label, type, placeholder } = attribute;
  const { lang } = useWritten(attribute);
  return (
    <Suspense fallback={<div className="writing page" aria-busy />}>
      <WritingInput
        format={type === 'blocks' ? 'blocks' : 'markdown'}
        label={label}
        placeholder={placeholder}
        lang={lang}
        {...props}
      />
    </Suspense>
  );
}
