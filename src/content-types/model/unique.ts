import type { Attribute } from './types.js';

/** Whether values of this attribute must be unique. */
export const isUnique = (attribute: Attribute): boolean => attribute.kind === 'scalar' && attribute.unique;
