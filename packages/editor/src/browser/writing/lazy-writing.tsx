import { lazy, Suspense } from 'react';
import { useWritten, type InputState } from '../form/form-context.js';
import { labelOf, type ScalarAttribute } from '../model/schema.js';

/** The framework for texts is as large as half of the editor: forms without them do without it. */
const WritingInput = lazy(async () => ({ default: (await import('./writing-input.js')).WritingInput }));

export const isWritten = (attribute: { readonly type: string }): boolean =>
  attribute.type === 'blocks' || attribute.type === 'richtext';

interface Props {
  readonly attribute: Pick<ScalarAttribute, 'name' | 'type' | 'shared'>;
  readonly input: InputState;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A text with headings, lists and images. */
export function LazyWriting({ attribute, ...props }: Props) {
  const { name, type } = attribute;
  const { lang } = useWritten(attribute);
  return (
    <Suspense fallback={<div className="writing page" aria-busy />}>
      <WritingInput format={type === 'blocks' ? 'blocks' : 'markdown'} label={labelOf(name)} lang={lang} {...props} />
    </Suspense>
  );
}
