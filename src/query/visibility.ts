import type { Attribute } from '../content-types/types.js';

/** Who asks: a client sees public attributes only; our own code may name all but passwords. */
export type Audience = 'client' | 'internal';

/** May the audience read values of this attribute? Passwords are readable to nobody. */
export function isReadable(attribute: Attribute, audience: Audience): boolean {
  if (attribute.kind === 'scalar' && attribute.type === 'password') return false;
  return audience === 'internal' || !attribute.private;
}
