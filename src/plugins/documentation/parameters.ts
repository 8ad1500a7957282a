import { isLocalized } from '../../content-types/model/localized.js';
import { typeName } from '../../content-types/model/type-name.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { PageLimits } from '../../query/parse/parse-pagination.js';
import { readable, reference } from './response-schemas.js';
import type { Schema } from './scalars.js';

export const idParameter: Schema = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'integer', minimum: 1 },
};

/** An attribute that an entry can be found by, and its value. */
export const keyParameters = (keys: readonly string[]): readonly Schema[] => [
  { name: 'attribute', in: 'path', required: true, schema: { type: 'string', enum: keys } },
  { name: 'value', in: 'path', required: true, schema: { type: 'string', minLength: 1 } },
];

export const idempotencyParameter: Schema = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same request with the same key is executed once within 24 hours',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

export const dryRunParameter: Schema = {
  name: 'dryRun',
  in: 'query',
  description: 'Check the write and respond as it would, but store nothing; the `id` of a new entry is null',
  schema: { type: 'boolean', default: false },
};

export const matchParameter: Schema = {
  name: 'If-Match',
  in: 'header',
  description: 'The ETag of a GET of the same URL; 412 if the entry has changed since',
  schema: { type: 'string' },
};

/** How a write by a key treats a missing and an existing entry. */
export const upsertParameters: readonly Schema[] = [
  {
    name: 'upsert',
    in: 'query',
    description: 'Create the entry if it does not exist',
    schema: { type: 'boolean', default: false },
  },
  {
    name: 'If-None-Match',
    in: 'header',
    description: 'Create the entry; 412 if it exists',
    schema: { type: 'string', enum: ['*'] },
  },
];

const names = (name: string, description: string, items: Schema): Schema => ({
  name,
  in: 'query',
  description,
  schema: { type: 'array', items },
  explode: true,
});

const POPULATE =
  'Relations, components, media; `populate[author][fields]=name` selects parts of them, `deep,3` two levels of all where that is enabled';

/** The parameters of all reads and writes of entries: fields and populate. */
export function selectionParameters(type: ContentType): readonly Schema[] {
  const attributes = readable(type);
  const fields = attributes.filter(({ kind }) => kind === 'scalar').map(({ name }) => name);
  const populatable = attributes.filter(({ kind }) => kind !== 'scalar').map(({ name }) => name);
  return [
    names('fields', 'Only these attributes', { type: 'string', enum: ['*', 'id', ...fields] }),
    ...(populatable.length === 0
      ? []
      : [
          names('populate', POPULATE, {
            type: 'string',
            examples: ['*', ...populatable],
          }),
        ]),
    ...(isLocalized(type) ? [locale] : []),
  ];
}

const locale: Schema = { name: 'locale', in: 'query', schema: { type: 'string' }, description: 'E.g. `en`, or `all`' };

/** The parameters that select entries. */
const filterParameters = (type: ContentType): readonly Schema[] => [
  {
    name: 'filters',
    in: 'query',
    style: 'deepObject',
    explode: true,
    description: 'E.g. `filters[id][$in][0]=1`',
    schema: reference(`${typeName(type)}Filters`),
    // Without one Swagger UI sends a condition on each attribute. This one finds all entries.
    example: { id: { $gte: 1 } },
  },
  { name: '_q', in: 'query', schema: { type: 'string' }, description: 'A string to search for' },
  ...stateParameters(type),
];

/** The parameters of a count. */
export const countParameters = (type: ContentType): readonly Schema[] => [
  ...filterParameters(type),
  ...(isLocalized(type) ? [locale] : []),
];

/** The additional parameters of lists. */
export function listParameters(
  type: ContentType,
  { defaultLimit, maxLimit, withCount }: PageLimits,
): readonly Schema[] {
  const size = { type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit };
  return [
    ...filterParameters(type),
    names('sort', 'E.g. `createdAt:desc`', { type: 'string' }),
    {
      name: 'pagination',
      in: 'query',
      style: 'deepObject',
      explode: true,
      description:
        'By `page` and `pageSize`, by `start` and `limit`, or `after` an entry: `meta.pagination.next` of the page before, empty at first',
      example: { page: 1, pageSize: defaultLimit },
      schema: {
        type: 'object',
        properties: {
          page: { type: 'integer', minimum: 1 },
          pageSize: size,
          start: { type: 'integer', minimum: 0 },
          limit: { ...size, minimum: -1 },
          withCount: { type: 'boolean', default: withCount },
          after: { type: 'string' },
        },
      },
    },
  ];
}

/** The parameters of lists and single types. */
export const stateParameters = (type: ContentType): readonly Schema[] => [
  ...(type.draftAndPublish ? [publicationState] : []),
  ...(isLocalized(type) ? [fallbackLocale] : []),
];

const publicationState: Schema = {
  name: 'publicationState',
  in: 'query',
  schema: { type: 'string', enum: ['live', 'preview'], default: 'live' },
};

const fallbackLocale: Schema = {
  name: 'fallbackLocale',
  in: 'query',
  description: 'Further locales, e.g. `fr,en`: each entry is in the first of all locales that there is of it',
  schema: { type: 'string' },
};
