import type { ContentType } from '../../content-types/model/types.js';
import { isOwnType } from '../../documents/listings.js';
import type { RootRow, SchemaForm } from '../../plugins/contract/graphql/form.js';
import { namesOf } from '../../plugins/contract/graphql/names.js';
import { hasStatus } from '../../query/parse/parse-status.js';
import { parametersOf } from '../../query/plugin-parameters.js';
import { inBrackets, listArguments } from './arguments.js';
import { scalarFilterName } from './base-types.js';
import { objectType } from './definition.js';
import type { Shadow } from './rules.js';
import { hasKeys } from './type-definitions.js';

/** The schema of Strapi v4: entries have an `id` and `attributes`, in a response with `data`. */
export const v4Form = (shadow: Shadow): SchemaForm => ({
  enums: (models) => ({
    // The values that resolvers, policies and the services of Strapi v4 know.
    PublicationState: { LIVE: 'live', PREVIEW: 'preview' },
    ...(models.some(hasStatus) && { PublicationStatus: { DRAFT: 'draft', PUBLISHED: 'published' } }),
  }),
  entryTypes: ({ type, entity, response, collection, relationCollection }) => [
    objectType(entity, ['id: ID', `attributes: ${type}`]),
    objectType(response, [`data: ${entity}`]),
    objectType(collection, [`data: [${entity}!]!`, 'meta: ResponseCollectionMeta!']),
    objectType(relationCollection, [`data: [${entity}!]!`]),
  ],
  furtherFields: ({ kind, uid }) => ({
    output: [],
    filters:
      kind === 'collectionType' && shadow.hasField(uid, 'id', 'filters') ? [`id: ${scalarFilterName('ID')}`] : [],
    input: [],
  }),
  relationFields: ({ name, many, target }) => {
    const { response, relationCollection } = namesOf(target);
    return [{ name, signature: many ? `${listArguments(target)}: ${relationCollection}` : `: ${response}` }];
  },
  listArguments: (model) => listArguments(model),
  rootFields: (type) => rootRows(type, shadow),
  groups: {
    audience: 'client',
    arguments: (type, further) => listArguments(type, [...argumentsOf(addedTo(type, shadow)), ...further]),
    types: [objectType(GROUPS_META, ['pagination: Pagination!', 'overlapping: [String!]!'])],
    page: (group) => [`data: [${group}!]!`, `meta: ${GROUPS_META}!`],
  },
});

const GROUPS_META = 'Groups_Meta';

/** The parameters of plugins that fields of a type have. */
const addedTo = (type: ContentType, { requestOptions }: Shadow): ReturnType<typeof parametersOf> => {
  const hasOptions = requestOptions && isOwnType(type);
  return parametersOf(type).filter(({ graphql }) => hasOptions || graphql.isAddition !== true);
};

const argumentsOf = (parameters: ReturnType<typeof parametersOf>): readonly string[] =>
  parameters.map(({ name, graphql }) => `${name}: ${graphql.type}`);

function rootRows(type: ContentType, shadow: Shadow): ReturnType<SchemaForm['rootFields']> {
  const { response, collection, input, keyInput, ...names } = namesOf(type);
  const hasOptions = shadow.requestOptions && isOwnType(type);
  const added = addedTo(type, shadow);
  const further = argumentsOf(added);
  const scope = argumentsOf(added.filter(({ part }) => part === 'scope'));
  const dryRun = hasOptions ? ['dryRun: Boolean'] : [];
  const status = hasStatus(type) ? ['status: PublicationStatus'] : [];
  const row = (
    operation: RootRow['operation'],
    action: 'find' | 'findOne' | 'create' | 'update' | 'delete',
    signature: string,
    name: 'find' | 'findOne' | 'create' | 'update' | 'delete' = action,
  ): RootRow => ({ name: names[name], operation, action, signature });
  const write = (...list: readonly string[]): string =>
    `${inBrackets([...list, ...status, ...scope, ...dryRun])}: ${response}`;
  const data = `data: ${input}!`;
  if (type.kind === 'singleType')
    return {
      query: [row('findSingle', 'find', `${listArguments(type, further)}: ${response}`, 'findOne')],
      mutation: [row('updateSingle', 'update', write(data)), row('deleteSingle', 'delete', write())],
    };
  const key = hasOptions && hasKeys(type, shadow) ? [`by: ${keyInput}`] : [];
  return {
    query: [
      row('findOne', 'findOne', `${inBrackets(['id: ID', ...key, ...status, ...further])}: ${response}`),
      row('find', 'find', `${listArguments(type, further)}: ${collection}`),
    ],
    mutation: [
      row('create', 'create', write(data)),
      row('update', 'update', write('id: ID!', data)),
      row('delete', 'delete', write('id: ID!')),
    ],
  };
}
