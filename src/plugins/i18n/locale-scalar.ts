import { GraphQLScalarType, Kind } from 'graphql';
import { AppError } from '../../errors/app-error.js';
import { nameLocale } from './name-locale.js';

/**
 * The locale of a query. As in Strapi v4, one that is written in the document must be that of a language, or `all`; one
 * in a variable is looked at later, like one in a REST query.
 * @param isDeclared locales may be called what no language is
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
