import type { Attribute } from './types.js';

/** Must values of this attribute be unique? A `uid` always is. */
export const isUnique = (attribute: Attribute): boolean =>
  attribute.kind === 'scalar' && (attribute.unique || attribute.type === 'uid');
