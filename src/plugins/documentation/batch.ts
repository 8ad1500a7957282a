import { typeName } from '../../content-types/model/type-name.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { isOwnType, listingOf, pathNameOf } from '../../documents/listings.js';
import { reference, termParameters } from '../contract/content-type-routes.js';
import { refusedTerms } from '../contract/write-terms.js';
import type { DeclaredRoute } from '../contract/routes.js';
import type { JsonSchema } from '../../content-types/model/attribute-types.js';

const data: JsonSchema = {
  type: 'object',
  description:
    'As in the request of the operation alone; in relations, `$name` is the entry of the operation with `"as": "name"`',
};
const as: JsonSchema = { type: 'string', pattern: '^[A-Za-z]\\w{0,63}$' };
const id: JsonSchema = { type: 'integer' };
const localizationOf: JsonSchema = {
  type: ['integer', 'string'],
  pattern: '^\\$[A-Za-z]\\w{0,63}$',
  description:
    'The entry of which the new one is the localization in the `locale` of its data, a draft: its id, or `$name` as in relations',
};
const status: JsonSchema = {
  enum: ['draft', 'published'],
  description:
    'As in the request of the operation alone: `published` publishes the entry, all of which is checked; types with working copies know `draft` too',
};
const ifMatch: JsonSchema = { type: 'string', description: 'The ETag of a GET of the entry' };

const form = (
  action: string,
  paths: readonly string[],
  properties: JsonSchema,
  required: readonly string[],
): JsonSchema => ({
  type: 'object',
  required: [action, ...required],
  properties: { [action]: { enum: paths }, ...properties },
  additionalProperties: false,
});

const textsOf = (attributes: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(attributes.map((name) => [name, { type: ['string', 'null'] }])),
  additionalProperties: false,
});

/** `/batch`, for the operations that are allowed. Undefined: there are none. */
export function describeBatch(types: readonly ContentType[], may: Caller['may']): DeclaredRoute | undefined {
  const own = types.filter(isOwnType);
  const pathsFor = (action: string): readonly string[] =>
    own
      // As in Strapi v4, an update creates the entry of a single type.
      .filter(({ uid, kind }) => may(`${uid}.${action === 'create' && kind === 'singleType' ? 'update' : action}`))
      .map(pathNameOf);
  const [created, updated, deleted] = [pathsFor('create'), pathsFor('update'), pathsFor('delete')];
  const changed = types.flatMap((type) => {
    const { path = '', changes } = listingOf(type) ?? {};
    return changes !== undefined && may(changes.action)
      ? [{ type, path: path.slice('/'.length), attributes: changes.attributes }]
      : [];
  });
  const operations = [
    ...(created.length > 0 ? [form('create', created, { as, localizationOf, data }, ['data'])] : []),
    ...(updated.length > 0 ? [form('update', updated, { id, data, ifMatch, status }, ['id', 'data'])] : []),
    ...(deleted.length > 0 ? [form('delete', deleted, { id, ifMatch }, ['id'])] : []),
    ...changed.map(({ path, attributes }) =>
      form('update', [path], { id, data: textsOf(attributes), ifMatch }, ['id', 'data']),
    ),
  ];
  if (operations.length === 0) return undefined;
  const written = new Set([...created, ...updated, ...deleted]);
  const entries = [
    ...own.filter((type) => written.has(pathNameOf(type))).map((type) => reference(`${typeName(type)}Entry`)),
    ...changed.map(({ type }) => reference(`${typeName(type)}Record`)),
  ];
  const body: JsonSchema = {
    type: 'object',
    required: ['operations'],
    properties: { operations: { type: 'array', minItems: 1, items: { oneOf: operations } } },
  };
  const answer: JsonSchema = {
    type: 'object',
    required: ['data', 'meta'],
    properties: {
      data: {
        type: 'array',
        items: { anyOf: [...entries, { type: 'null' }] },
        description: 'null: an entry that was deleted before the request was repeated',
      },
      meta: { type: 'object' },
    },
  };
  return {
    method: 'POST',
    path: '/batch',
    action: undefined,
    description: {
      id: 'batch',
      tag: 'Batch',
      summary: 'Write several entries together: all of them, or none',
      parameters: termParameters(refusedTerms.batch),
      body,
      response: answer,
      errors: [400, 404, 409, 412, 413, 422],
    },
  };
}
