import { useId } from 'react';
import { useTexts } from '../language/language.js';
import type { Texts } from '../language/texts.js';
import { dataOf } from '../model/body.js';
import { isScalar, type Attribute, type Content } from '../model/schema.js';
import { isLinks, type Value } from '../model/values.js';
import { isWritten, LazyWriting } from '../writing/lazy-writing.js';
import { useForm } from './form-context.js';

interface Props {
  readonly attribute: Attribute;
  readonly value: Value;
}

/** A value to compare it with another; a text as it looks. */
export function ShownValue({ attribute, value }: Props) {
  const texts = useTexts();
  const { content } = useForm();
  const id = useId();
  if (!isScalar(attribute) || !isWritten(attribute) || typeof value !== 'string' || value === '')
    return describe(texts, content, attribute, value);
  const input = { id, disabled: true, 'aria-invalid': false, 'aria-describedby': '' };
  return <LazyWriting attribute={attribute} input={input} value={value} onChange={() => undefined} />;
}

function describe({ common, form }: Texts, content: Content, attribute: Attribute, value: Value): string {
  if (value === null || value === '') return common.empty;
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? common.yes : common.no;
  if (isLinks(value)) return value.items.map(({ title }) => title).join(', ') || common.empty;
  try {
    return JSON.stringify(dataOf(content, attribute, value), undefined, 2);
  } catch {
    return form.incompleteJson;
  }
}
