import { isRecord } from '../content-types/model/settings-schema.js';
import type { Attribute } from '../content-types/model/types.js';

/** Who asks: a client sees public attributes only; our own code may name all but passwords; that of a project sees their hashes. */
export type Audience = 'client' | 'internal' | 'code';

/** May the audience read values of this attribute? Hashes of passwords are for a project's code alone, as in Strapi v4. */
export function isReadable(attribute: Attribute, audience: Audience): boolean {
  if (attribute.kind === 'scalar' && attribute.type === 'password') return audience === 'code';
  return audience !== 'client' || !attribute.private;
}

/**
 * May the audience populate this attribute? Some relations may be filtered and sorted by but are never shown to clients:
 * those with `pluginOptions: { 'content-api': { populate: false } }`.
 */
export function isPopulated(attribute: Attribute, audience: Audience): boolean {
  if (!isReadable(attribute, audience)) return false;
  const options = attribute.pluginOptions['content-api'];
  return audience !== 'client' || !isRecord(options) || options['populate'] !== false;
}
