import {
  aggregateParameters,
  groupsResponse,
  type ContentApi,
  type JsonSchema,
  type OperationParts,
} from 'content-service/content-api';
import { generatedNames, isLocalized } from 'content-service/plugin';
import { publicationFilters } from './status.js';

type Description = NonNullable<ContentApi['description']>;

/** The API in OpenAPI, in what Strapi 5 has otherwise than v4. */
export const description: Description = {
  title: "Content API in Strapi 5's form",
  text: 'Generated from the content types. With the header `Strapi-Response-Format: v4` entries are nested, which is not described here.',
  audience: 'documents',
  answers: {
    entry: (attributes) => ({
      type: 'object',
      required: ['id', 'documentId'],
      properties: { id: { type: 'integer' }, documentId: { type: 'string' } },
      allOf: [attributes],
    }),
    one: (entry) => entry,
    many: (entries) => ({ anyOf: [entries, counted] }),
    emptyLists: true,
    data: (entry) => entry,
  },
  inputs: {
    // What an entry becomes is in the address of a write.
    isTaken: ({ name }, model) => model.kind === 'component' || !generatedNames.has(name),
    data: { additionalProperties: false },
    draft: { required: [], properties: {} },
    relation: relationInput(),
    filtersZones: false,
  },
  entry: (type) => ({ pathParameters: [documentId], parameters: localeOf(type) }),
  operations: {
    find: ({ type, limits, schema, parameter }) => ({
      summary: 'List entries',
      parameters: [
        ...['filters', '_q', 'sort'].flatMap(parameter),
        { name: 'pagination', in: 'query', style: 'deepObject', explode: true, schema: pagination(limits) },
        ...selection(parameter),
        ...stateOf(type, 'read'),
        ...localeOf(type, 'With `*` entries of all locales'),
      ],
      response: schema('ListResponse'),
      errors: [400],
    }),
    findOne: (parts) => ({ summary: 'Read an entry', pathParameters: [documentId], ...readOne(parts) }),
    aggregate: ({ type, limits, parameter }) => ({
      summary: 'Group entries, count them and add up values',
      parameters: [
        ...Object.entries(aggregateParameters).map(([name, openApi]) => ({ name, in: 'query', ...openApi })),
        ...['filters', '_q', 'sort'].flatMap(parameter),
        { name: 'pagination', in: 'query', style: 'deepObject', explode: true, schema: pagination(limits) },
        ...stateOf(type, 'read'),
        ...localeOf(type, 'With `*` entries of all locales'),
      ],
      response: groupsResponse,
      errors: [400],
    }),
    create: ({ type, schema, parameter }) => ({
      summary: 'Create an entry',
      parameters: written({ type, parameter }),
      body: schema('CreateRequest'),
      response: schema('Response'),
      status: 201,
      errors: [400, 409, 413, 422],
    }),
    update: (parts) => ({ summary: 'Change an entry', pathParameters: [documentId], ...update(parts) }),
    delete: (parts) => ({ ...remove(parts, 'Delete an entry'), pathParameters: [documentId] }),
    findSingle: (parts) => ({ summary: 'Read the entry', ...readOne(parts) }),
    updateSingle: (parts) => ({ summary: 'Create or change the entry', ...update(parts) }),
    deleteSingle: (parts) => remove(parts, 'Delete the entry'),
  },
};

const counted: JsonSchema = {
  type: 'object',
  required: ['count'],
  properties: { count: { type: 'integer', minimum: 0 } },
  description: 'With `populate[…][count]`',
};

function relationInput(): JsonSchema {
  const text = { type: 'string' };
  const number = { type: 'integer' };
  const place = {
    type: 'object',
    properties: {
      before: { type: ['string', 'integer'] },
      after: { type: ['string', 'integer'] },
      start: { type: 'boolean' },
      end: { type: 'boolean' },
      locale: { type: ['string', 'null'] },
      status: text,
    },
  };
  const more = { locale: { type: ['string', 'null'] }, status: text, position: place };
  const named = (name: string, schema: JsonSchema): JsonSchema => ({
    type: 'object',
    required: [name],
    properties: { [name]: schema, ...more },
  });
  const link = { anyOf: [text, number, named('documentId', text), named('id', number)] };
  const links = { anyOf: [link, { type: 'array', items: link }, { type: 'null' }] };
  return {
    description: 'The related entries, by documentId or number, or the entries to connect and disconnect',
    anyOf: [links, { type: 'object', properties: { set: links, connect: links, disconnect: links } }],
  };
}

type Parts = Pick<OperationParts, 'type' | 'parameter'>;

const documentId: JsonSchema = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The documentId of the entry',
  schema: { type: 'string' },
};
function pagination({ defaultLimit, maxLimit, withCount }: OperationParts['limits']): JsonSchema {
  const size = { type: 'integer', default: defaultLimit, maximum: maxLimit };
  return {
    type: 'object',
    description: 'By `page` and `pageSize`, or by `start` and `limit`',
    properties: {
      page: { type: 'integer', default: 1 },
      pageSize: size,
      start: { type: 'integer', default: 0 },
      limit: size,
      withCount: { type: 'boolean', default: withCount },
    },
  };
}

const selection = (parameter: OperationParts['parameter']): readonly JsonSchema[] => [
  ...parameter('fields'),
  ...parameter('populate').map((row) => ({
    ...row,
    description: 'Relations, components, media; `populate[author][fields]=name` selects parts of them',
  })),
];

/** The parameters about drafts; types without them ignore them. */
function stateOf({ draftAndPublish }: OperationParts['type'], use: 'read' | 'write'): readonly JsonSchema[] {
  if (!draftAndPublish) return [];
  const status = {
    name: 'status',
    in: 'query',
    description: use === 'read' ? 'For related entries, too' : 'With `draft` nothing is published',
    schema: { type: 'string', enum: ['draft', 'published'], default: 'published' },
  };
  if (use === 'write') return [status];
  const filter = { name: 'publicationFilter', in: 'query', schema: { type: 'string', enum: [...publicationFilters] } };
  return [status, filter, { name: 'hasPublishedVersion', in: 'query', schema: { type: 'boolean' } }];
}

const localeOf = (type: OperationParts['type'], text = 'Default: the default locale'): readonly JsonSchema[] =>
  isLocalized(type) ? [{ name: 'locale', in: 'query', description: text, schema: { type: 'string' } }] : [];

const written = ({ type, parameter }: Parts): readonly JsonSchema[] => [
  ...selection(parameter),
  ...stateOf(type, 'write'),
  ...localeOf(type),
];

const readOne = ({ type, schema, parameter }: OperationParts) => ({
  parameters: [...selection(parameter), ...stateOf(type, 'read'), ...localeOf(type)],
  response: schema('Response'),
  isTagged: true,
  errors: [400, 404],
});

const update = ({ type, schema, parameter }: OperationParts) => ({
  parameters: written({ type, parameter }),
  body: schema('UpdateRequest'),
  response: schema('Response'),
  errors: [400, 404, 409, 412, 413, 422],
});

const remove = ({ type }: OperationParts, summary: string) => ({
  summary,
  parameters: localeOf(type, 'With `*` all locales'),
  status: 204,
  errors: [400, 409, 412, 422],
});
