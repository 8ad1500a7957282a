import type { Texts } from '../language/texts.js';
import { dataOf } from '../model/body.js';
import type { Attribute, Content } from '../model/schema.js';
import { isLinks, type Value } from '../model/values.js';

/** A value to compare it with another. */
export function describeValue({ common, form }: Texts, content: Content, attribute: Attribute, value: Value): string {
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
