import type { Attribute } from './types.js';

/** Whether values of this attribute must be unique. A `uid` always is. */
export const isUnique = (attribute: Attribute): boolean =>
  attribute.kind === 'scalar' && (attribute.unique || attribute.type === 'uid');
