import { dataOf } from '../model/body.js';
import type { Attribute, Content } from '../model/schema.js';
import { isLinks, type Value } from '../model/values.js';

/** A value to compare it with another. */
export function describeValue(content: Content, attribute: Attribute, value: Value): string {
  if (value === null || value === '') return '(empty)';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (isLinks(value)) return value.items.map(({ title }) => title).join(', ') || '(empty)';
  try {
    return JSON.stringify(dataOf(content, attribute, value), undefined, 2);
  } catch {
    return 'Some JSON in it is not complete yet';
  }
}
