import type { ContentType } from '../../content-types/model/types.js';
import type { PageLimits } from '../../query/parse/parse-pagination.js';
import { parameters } from '../../query/parse/parse-query.js';
import { parametersOf } from '../../query/plugin-parameters.js';
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

/** The requests that have parameters of queries, and the parts of these that they have, in this order. */
const parts = {
  list: ['filter', 'state', 'page', 'selection', 'scope'],
  count: ['filter', 'state', 'scope'],
  one: ['selection', 'scope', 'state'],
  write: ['selection', 'scope'],
} as const;

/** The parameters of queries in a request on a type. The state applies to the entry with an id only if the request can show another. */
export function queryParameters(
  type: ContentType,
  request: keyof typeof parts | 'byId',
  limits: PageLimits,
): readonly Schema[] {
  const own = parametersOf(type);
  const rows = [...parameters.map(({ openApi, ...row }) => ({ ...row, openApi: openApi(type, limits) })), ...own];
  const byId = own.some(({ alternatives }) => alternatives !== undefined) ? 'one' : 'write';
  return parts[request === 'byId' ? byId : request].flatMap((part) =>
    rows.flatMap(({ name, part: itsPart, openApi }) =>
      itsPart === part && openApi !== undefined ? [{ name, in: 'query', ...openApi }] : [],
    ),
  );
}
