import type { RelationAttribute } from './types.js';

/** A target has at most one owner. Linking it again counts as a later link. */
export const isExclusive = ({ inverse, relation }: RelationAttribute): boolean =>
  inverse !== undefined && relation === 'oneToOne';
