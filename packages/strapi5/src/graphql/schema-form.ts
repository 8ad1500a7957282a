import {
  graphqlComponentNames as componentNames,
  graphqlNamesOf as namesOf,
  type RootRow,
  type SchemaForm,
} from 'content-service/content-api';
import { isLocalized, type Component, type ContentType, type Registry } from 'content-service/plugin';
import { reviewWorkflows } from './review-workflows.js';

/** The schema of Strapi 5: entries are objects with their attributes, lists have a second field with the page. */
export const createSchemaForm = ({ dialect }: Pick<Registry, 'dialect'>): SchemaForm => ({
  contentTypes: reviewWorkflows(dialect),
  hasUnusedTypes: true,
  enums: () => ({
    PublicationStatus: { DRAFT: 'draft', PUBLISHED: 'published' },
    PublicationFilter: Object.fromEntries(publicationFilters.map((value) => [nameOf(value), value])),
  }),
  entryTypes: ({ type, entity, response, collection, relationCollection }) => [
    // Strapi 5 has these for its mode of compatibility; nothing leads to most of them.
    `type ${entity} { attributes: ${type} id: ID }`,
    `type ${response} { data: ${type} }`,
    `type ${collection} { nodes: [${type}!]! pageInfo: Pagination! }`,
    `type ${relationCollection} { nodes: [${type}!]! }`,
  ],
  furtherFields: (type) => ({
    output: ['documentId: ID!', ...publishedAtOf(type)],
    filters: [
      ...(type.kind === 'singleType' ? [] : ['documentId: IDFilterInput']),
      ...(type.draftAndPublish ? [] : ['publishedAt: DateTimeFilterInput']),
    ],
    input: [...publishedAtOf(type), ...(isLocalized(type) ? [] : ['locale: String'])],
  }),
  relationFields: ({ name, many, target }) => {
    const { type, relationCollection } = namesOf(target);
    if (!many) return [{ name, signature: `: ${type}` }];
    const args = listArguments(target);
    return [
      { name, signature: `${args}: [${type}]!` },
      { name: `${name}_connection`, signature: `${args}: ${relationCollection}`, shown: (nodes) => ({ nodes }) },
    ];
  },
  listArguments,
  rootFields,
  groups: {
    audience: 'documents',
    arguments: (type, further) => inBrackets([listed(namesOf(type).filters), ...stateOf(type), ...further]),
    types: [],
    page: (group) => [`nodes: [${group}!]!`, 'pageInfo: Pagination!', 'overlapping: [String!]!'],
    shown: ({ data, meta }) => ({ nodes: data, pageInfo: meta.pagination, overlapping: meta.overlapping }),
  },
});

/** Types without drafts have it too: the time of the last write. */
const publishedAtOf = ({ draftAndPublish }: ContentType): readonly string[] =>
  draftAndPublish ? [] : ['publishedAt: DateTime'];

function listArguments(model: ContentType | Component): string {
  if (model.kind === 'singleType') return '';
  return `(${listed((model.kind === 'component' ? componentNames(model) : namesOf(model)).filters)})`;
}

const listed = (filters: string): string => `filters: ${filters}, pagination: PaginationArg = {}, sort: [String] = []`;

function rootFields(type: ContentType): ReturnType<SchemaForm['rootFields']> {
  const { type: name, input, filters, collection, ...names } = namesOf(type);
  const locale = localeOf(type);
  const state = stateOf(type);
  const documentId = type.kind === 'singleType' ? [] : ['documentId: ID!'];
  const data = `data: ${input}!`;
  const update = `${inBrackets([...documentId, status, ...locale, data])}: ${name}`;
  const remove = `${inBrackets([...documentId, ...locale])}: DeleteMutationResponse`;
  const row = (
    [operation, action]: readonly [RootRow['operation'], RootRow['action']],
    field: string,
    signature: string,
    shown: (response: Response) => unknown = ({ value }) => value,
  ): RootRow => ({ name: field, operation, action, signature, shown: shown as (response: unknown) => unknown });
  if (type.kind === 'singleType')
    return {
      query: [row(['findSingle', 'find'], names.findOne, `${inBrackets(state)}: ${name}`)],
      mutation: [
        row(['updateSingle', 'update'], names.update, update),
        row(['deleteSingle', 'delete'], names.delete, remove),
      ],
    };
  const list = inBrackets([listed(filters), ...state]);
  return {
    query: [
      row(['findOne', 'findOne'], names.findOne, `${inBrackets([...documentId, ...state])}: ${name}`),
      row(['find', 'find'], names.find, `${list}: [${name}]!`, ({ nodes }) => nodes),
      row(['find', 'find'], `${names.find}_connection`, `${list}: ${collection}`, ({ nodes, meta }) => ({
        nodes,
        pageInfo: meta?.pagination,
      })),
    ],
    mutation: [
      row(['create', 'create'], names.create, `${inBrackets([status, ...locale, data])}: ${name}`),
      row(['update', 'update'], names.update, update),
      row(['delete', 'delete'], names.delete, remove),
    ],
  };
}

const status = 'status: PublicationStatus = PUBLISHED';

const localeOf = (type: ContentType): readonly string[] =>
  isLocalized(type) ? ['"The locale to use for the query" locale: I18NLocaleCode'] : [];

/** The arguments that say which version of entries a field reads. */
const stateOf = (type: ContentType): readonly string[] => [
  status,
  'publicationFilter: PublicationFilter',
  'hasPublishedVersion: Boolean',
  ...localeOf(type),
];

/** What root fields resolve to before it is shown. */
interface Response {
  readonly value?: unknown;
  readonly nodes?: unknown;
  readonly meta?: { readonly pagination: unknown };
}

const inBrackets = (list: readonly string[]): string => (list.length === 0 ? '' : `(${list.join(', ')})`);

const publicationFilters = [
  'never-published',
  'never-published-document',
  'has-published-version',
  'has-published-version-document',
  'modified',
  'unmodified',
  'published-with-draft',
  'published-without-draft',
];

const nameOf = (value: string): string => value.toUpperCase().replaceAll('-', '_');
