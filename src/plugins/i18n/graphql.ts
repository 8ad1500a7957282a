import { GraphQLScalarType, Kind } from 'graphql';
import { isLocalized } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Entry } from '../../documents/entries.js';
import { requireId } from '../../query/parse/input.js';
import { namesOf } from '../contract/graphql/names.js';
import type { GraphqlParts, GraphqlResolver, ShadowRule } from '../contract/graphql/parts.js';
import type { BuiltInContext } from '../contract/built-in.js';
import { createLocalization } from './create-localization.js';
import { locale } from './definitions.js';
import { type Locales, nameLocale } from './locales.js';
import { AppError } from '../../errors/app-error.js';

const listLocales = 'plugin::i18n.locales.listLocales';

/** Locales in GraphQL, and a mutation for each localized content type that creates localizations. */
export function createGraphql(context: BuiltInContext, locales: () => Locales): GraphqlParts {
  const types = [...context.registry.contentTypes.values()].filter(isLocalized);
  const mutations = types.map((type) => ({ type, name: `create${namesOf(type).type}Localization` }));
  const fields = mutations.map(({ type, name }) => {
    const { input, response } = namesOf(type);
    return `${name}(id: ID, data: ${input}, locale: I18NLocaleCode): ${response}`;
  });
  return {
    typeDefs: ['scalar I18NLocaleCode', ...fields.map((field) => `type Mutation { ${field} }`)].join('\n'),
    rules: [
      { uid: locale.uid, without: 'mutations' },
      { uid: locale.uid, field: 'isDefault', without: 'filters' },
      ...types.flatMap(({ uid }): readonly ShadowRule[] => [
        { uid, field: 'locale', without: 'input' },
        { uid, field: 'localizations', without: 'input' },
      ]),
    ],
    actions: {
      'Query.i18NLocale': listLocales,
      'Query.i18NLocales': listLocales,
      ...Object.fromEntries(mutations.map(({ type, name }) => [`Mutation.${name}`, `${type.uid}.createLocalization`])),
    },
    resolvers: {
      I18NLocaleCode: localeScalar((code) => locales().codes.has(code)),
      Mutation: Object.fromEntries(mutations.map(({ type, name }) => [name, resolveLocalization(context, type)])),
    },
  };
}

/** Creates the localization and then reads it with the caller's permissions. */
const resolveLocalization =
  (context: BuiltInContext, type: ContentType): GraphqlResolver =>
  async (_, { id, data, locale: code }, { caller, entryRequest }, info) => {
    const source = type.kind === 'singleType' ? undefined : requireId(id, 'Entity not found');
    const show = context.documents.readAfterWrite(type, entryRequest(type, info));
    const created = await createLocalization(context, type, source, { ...data, locale: code }, { caller });
    return { value: await show((created as Entry).id) };
  };

/**
 * The locale of a query. As in Strapi v4, a literal in the document must be a known locale or `all`; one
 * in a variable is validated later, like one in a REST query.
 * @param isDeclared whether a project declares the locale, whose code need not be a language
 */
export const localeScalar = (isDeclared: (code: string) => boolean): GraphQLScalarType =>
  new GraphQLScalarType({
    name: 'I18NLocaleCode',
    description: 'A string used to identify an i18n locale',
    parseValue: (value) => value,
    parseLiteral: (node) => {
      if (node.kind !== Kind.STRING) throw new AppError('invalidValue', 'Locale cannot represent non string type');
      const { value } = node;
      if (value === 'all' || isDeclared(value) || nameLocale(value) !== value) return value;
      throw new AppError('invalidValue', 'Unknown locale supplied');
    },
  });
