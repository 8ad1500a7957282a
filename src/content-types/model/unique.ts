import type { Attribute } from './types.js';

export const isUnique = (attribute: Attribute): boolean => attribute.kind === 'scalar' && attribute.unique;
