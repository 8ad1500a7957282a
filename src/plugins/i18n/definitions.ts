import type { AttributeDefinition, ContentTypeDefinition, Defined } from '../../content-types/model/definition.js';
import { asksForLocales } from '../../content-types/model/localized.js';

/** Strapi v4's locale; the entry stores whether it is the default. */
export const locale: Defined<ContentTypeDefinition> = {
  uid: 'plugin::i18n.locale',
  file: 'plugin i18n',
  definition: {
    kind: 'collectionType',
    collectionName: 'i18n_locale',
    info: { singularName: 'locale', pluralName: 'locales', displayName: 'Locale' },
    attributes: {
      name: { type: 'string', maxLength: 50 },
      code: { type: 'string', unique: true },
      isDefault: { type: 'boolean', private: true, default: false },
    },
  },
};

/** The additional attributes of localized content types. */
export function localizedAttributes({
  uid,
  definition,
}: Defined<ContentTypeDefinition>): Readonly<Record<string, AttributeDefinition>> {
  if (!asksForLocales(definition.pluginOptions ?? {})) return {};
  return {
    locale: { type: 'string' },
    /** The entry's other localizations, each of which lists this one. */
    localizations: { type: 'relation', relation: 'oneToMany', target: uid },
  };
}
