import { isRecord } from '../../config/record.js';
import { systemNames } from './system-attributes.js';
import type { Attribute, ContentType } from './types.js';
import { holdsComponents, type EmbeddingAttribute } from './walk.js';

/** Whether a content type or an attribute is declared as localized. */
export function asksForLocales({ i18n }: Readonly<Record<string, unknown>>): boolean {
  return isRecord(i18n) && i18n['localized'] === true;
}

/**
 * Whether the type has an entry per locale: it is declared as localized, and the i18n plugin added `locale` and
 * `localizations`.
 */
export const isLocalized = ({ attributes, pluginOptions }: ContentType): boolean =>
  asksForLocales(pluginOptions) && attributes.has('locale') && attributes.has('localizations');

/** Whether it is the relation to the other localizations, whose locales are stored beside their ids. */
export const isLocalizations = ({ name }: Attribute, type: ContentType): boolean =>
  name === 'localizations' && isLocalized(type);

/** Types whose values are each locale's own, as in Strapi v4; of a password there is only a hash to copy. */
const ownTypes = new Set(['uid', 'password']);
const ownNames = new Set<string>([...systemNames, 'locale']);

/** Whether the attribute of a localized type has one value for all localizations of an entry. */
export function isShared(attribute: Attribute, { sharesParts }: Pick<ContentType, 'sharesParts'>): boolean {
  if (ownNames.has(attribute.name) || asksForLocales(attribute.pluginOptions)) return false;
  if (attribute.kind === 'scalar') return !ownTypes.has(attribute.type);
  if (sharesParts !== true) return false;
  // A value that is unique in all components can be in one localization only.
  return holdsComponents(attribute) ? !holdsUnique(attribute) : attribute.kind === 'relation' && attribute.media;
}

const holdsUnique = (attribute: EmbeddingAttribute): boolean =>
  (attribute.kind === 'zone' ? [...attribute.components.values()] : [attribute.component]).some(({ attributes }) =>
    [...attributes.values()].some((inner) =>
      inner.kind === 'scalar' ? inner.unique : holdsComponents(inner) && holdsUnique(inner),
    ),
  );

/** The attributes of a localized type that have one value for all localizations of an entry. */
export const sharedAttributes = (type: ContentType): readonly Attribute[] =>
  [...type.attributes.values()].filter((attribute) => isShared(attribute, type));
