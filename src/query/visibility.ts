import { isRecord } from '../config/record.js';
import type { Attribute, Attributes } from '../content-types/model/types.js';
import type { Model } from '../content-types/model/walk.js';
import type { AnyRelation } from './ast.js';

/**
 * The audience: clients see public attributes only, those of a format with documents the `documentId` as well; internal
 * code can use all but passwords; project code sees their hashes, that of Strapi 5 with the `documentId`.
 */
export type Audience = 'client' | 'documents' | 'internal' | 'code' | 'documentCode';

/** Whether it knows entries by their documents. */
export const namesDocuments = (audience: Audience): boolean => audience === 'documents' || audience === 'documentCode';

/** Whether requests of clients are parsed, which have limits and see public attributes only. */
export const isClient = (audience: Audience): boolean => audience === 'client' || audience === 'documents';

/** The attributes that an audience can name; each of them may be unreadable for it. */
export function attributesFor(model: Model, audience: Audience): Attributes {
  if (!namesDocuments(audience) || model.kind === 'component') return model.attributes;
  return (
    (audience === 'documentCode' ? model.documentColumns : undefined) ?? model.documentAttributes ?? model.attributes
  );
}

/** The attributes of what an attribute leads to, as an audience names them; undefined for values, zones and morphs. */
export function attributesBehindFor(attribute: Attribute | undefined, audience: Audience): Attributes | undefined {
  if (attribute?.kind === 'relation' || attribute?.kind === 'morphed') return attributesFor(attribute.target, audience);
  return attribute?.kind === 'component' ? attribute.component.attributes : undefined;
}

/** Whether the audience can read this attribute. As in Strapi v4, only project code can read password hashes. */
export function isReadable(attribute: Attribute, audience: Audience): boolean {
  if (attribute.kind === 'scalar' && attribute.type === 'password')
    return audience === 'code' || audience === 'documentCode';
  return !isClient(audience) || !attribute.private;
}

/**
 * Whether the audience may populate this attribute. Some relations may be filtered and sorted by but are never shown to
 * clients: those with `pluginOptions: { 'content-api': { populate: false } }`.
 */
export function isPopulated(attribute: Attribute, audience: Audience): boolean {
  if (!isReadable(attribute, audience)) return false;
  const options = attribute.pluginOptions['content-api'];
  return !isClient(audience) || !isRecord(options) || options['populate'] !== false;
}

/**
 * Strapi v4 finds the other side of a morph to many by the name of the field that an entry was attached to, which a
 * write through the API never sets: as recorded, nothing is ever found.
 */
export function isUnreachable(attribute: AnyRelation): boolean {
  if (attribute.kind !== 'morphed') return false;
  const morph = attribute.target.attributes.get(attribute.morphBy);
  return morph?.kind === 'morph' && morph.many;
}
