import { isLocalized } from '../../content-types/model/localized.js';
import { namesOf } from '../../plugins/contract/graphql/names.js';
import { inBrackets, listArguments } from './arguments.js';
import { objectType } from './definition.js';
import type { RootField, RootFields } from './root-fields.js';

/** Query or Mutation with its generated fields, in SDL. */
export const rootType = (name: 'Query' | 'Mutation', fields: RootFields): string =>
  objectType({ name, fields: [...fields].map(([field, root]) => `${field}${signatureOf(root)}`) });

/** Arguments and type. The fields of localized types take a locale. */
function signatureOf({ operation, type }: RootField): string {
  const { response, collection, input } = namesOf(type);
  const locale = isLocalized(type) ? ['locale: I18NLocaleCode'] : [];
  const single = (...list: readonly string[]): string => `${inBrackets([...list, ...locale])}: ${response}`;
  switch (operation) {
    case 'find':
      return `${listArguments(type, locale)}: ${collection}`;
    case 'findSingle':
      return `${listArguments(type, locale)}: ${response}`;
    case 'findOne':
      return single('id: ID');
    case 'create':
    case 'updateSingle':
      return single(`data: ${input}!`);
    case 'update':
      return single('id: ID!', `data: ${input}!`);
    case 'delete':
      return single('id: ID!');
    case 'deleteSingle':
      return single();
    default:
      return operation satisfies never;
  }
}
