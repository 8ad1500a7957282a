import { typeName } from '../../content-types/model/type-name.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { isKey } from '../../query/parse/parse-key.js';
import type { PageLimits } from '../../query/parse/parse-pagination.js';
import type { Route } from '../contract/plugin.js';
import { reference } from './response-schemas.js';
import { errorsOf } from './errors.js';
import {
  dryRunParameter,
  idempotencyParameter,
  idParameter,
  keyParameters,
  matchParameter,
  queryParameters,
  upsertParameters,
} from './parameters.js';
import type { Schema } from './scalars.js';

/** Operations by their method in lower case. */
export type PathItem = Schema;
type Paths = Readonly<Record<string, PathItem>>;

const json = (schema: Schema): Schema => ({ content: { 'application/json': { schema } } });
const withDescription = (schema: Schema): Schema => ({ description: 'Done', ...json(schema) });

const counted: Schema = {
  type: 'object',
  required: ['data'],
  properties: {
    data: { type: 'object', required: ['count'], properties: { count: { type: 'integer', minimum: 0 } } },
  },
};

const time: Schema = { type: ['string', 'null'], format: 'date-time' };
const times: Schema = { type: 'object', properties: { publishAt: time, unpublishAt: time } };
const scheduleBody: Schema = {
  requestBody: { required: true, ...json({ ...times, example: { publishAt: '2090-01-31T09:00:00Z' } }) },
};
const scheduled: Schema = {
  responses: {
    200: withDescription({ type: 'object', required: ['data'], properties: { data: times } }),
    ...errorsOf(400, 404),
  },
};

const schedules: Schema = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'array',
      items: { ...times, properties: { id: { type: 'integer' }, publishAt: time, unpublishAt: time } },
    },
  },
};
const idsParameter: Schema = {
  name: 'ids',
  in: 'query',
  required: true,
  schema: { type: 'string', pattern: String.raw`^\d+(,\d+)*$`, example: '1,2,3' },
};

const etag: Schema = { description: 'For `If-Match`', schema: { type: 'string' } };

/** The permission of operations without one of their own name. */
const permissionOf: Readonly<Record<string, string>> = {
  count: 'find',
  findByKey: 'findOne',
  writeByKey: 'update',
  deleteByKey: 'delete',
  findScheduleOf: 'update',
  findSchedulesOf: 'update',
  setScheduleOf: 'update',
  cancelScheduleOf: 'update',
};

/** The paths of a content type, with Strapi v4's operations as far as they are allowed. */
export function pathsOf(type: ContentType, limits: PageLimits, may: Caller['may']): Paths {
  return Object.fromEntries(
    Object.entries(allPathsOf(type, limits)).flatMap(([path, item]) => {
      const left = Object.entries(item).filter(([, operation]) => {
        const { operationId } = operation as { readonly operationId?: string };
        const action = operationId?.slice(0, -typeName(type).length) ?? '';
        return operationId === undefined || may(`${type.uid}.${permissionOf[action] ?? action}`);
      });
      return left.some(([name]) => name !== 'parameters') ? [[path, Object.fromEntries(left)]] : [];
    }),
  );
}

function allPathsOf(type: ContentType, limits: PageLimits): Paths {
  const name = typeName(type);
  const oneEntry = withDescription(reference(`${name}Response`));
  const readEntry = { ...oneEntry, headers: { ETag: etag } };
  const selection = queryParameters(type, 'write', limits);
  const operation = (action: string, summary: string, details: Schema): Schema => ({
    operationId: `${action}${name}`,
    summary,
    tags: [type.displayName],
    ...details,
  });
  const body = (kind: 'Create' | 'Update'): Schema => ({
    requestBody: { required: true, ...json(reference(`${name}${kind}Request`)) },
  });
  const conditional = [...selection, dryRunParameter, matchParameter];
  const update = {
    parameters: conditional,
    ...body('Update'),
    responses: { 200: oneEntry, ...errorsOf(400, 404, 409, 412, 413) },
  };
  const remove = { parameters: conditional, responses: { 200: oneEntry, ...errorsOf(400, 404, 409, 412) } };
  if (type.kind === 'singleType') {
    const parameters = queryParameters(type, 'one', limits);
    return {
      [`/${type.singularName}`]: {
        get: operation('find', 'Read the entry', { parameters, responses: { 200: readEntry, ...errorsOf(400, 404) } }),
        put: operation('update', 'Create or change the entry', update),
        delete: operation('delete', 'Delete the entry', remove),
      },
    };
  }
  const keys = [...type.attributes.values()]
    .filter((attribute) => isKey(attribute, 'client'))
    .map(({ name: key }) => key);
  const list = { 200: withDescription(reference(`${name}ListResponse`)), ...errorsOf(400) };
  const create = {
    parameters: [...selection, dryRunParameter, idempotencyParameter],
    ...body('Create'),
    responses: { 200: oneEntry, ...errorsOf(400, 409, 413, 422) },
  };
  return {
    [`/${type.pluralName}`]: {
      get: operation('find', 'List entries', {
        parameters: queryParameters(type, 'list', limits),
        responses: list,
      }),
      post: operation('create', 'Create an entry', create),
    },
    [`/${type.pluralName}/count`]: {
      get: operation('count', 'Count entries', {
        parameters: queryParameters(type, 'count', limits),
        responses: { 200: withDescription(counted), ...errorsOf(400) },
      }),
    },
    ...(keys.length > 0 && {
      [`/${type.pluralName}/by/{attribute}/{value}`]: {
        parameters: keyParameters(keys),
        get: operation('findByKey', 'Read an entry by a unique value', {
          parameters: queryParameters(type, 'one', limits),
          responses: { 200: readEntry, ...errorsOf(400, 404) },
        }),
        put: operation('writeByKey', 'Change the entry with a unique value, or create it', {
          parameters: [...conditional, ...upsertParameters],
          ...body('Update'),
          responses: { 200: oneEntry, 201: oneEntry, ...errorsOf(400, 404, 409, 412, 413) },
        }),
        delete: operation('deleteByKey', 'Delete the entry with a unique value', remove),
      },
    }),
    ...(type.draftAndPublish && {
      [`/${type.pluralName}/schedules`]: {
        get: operation('findSchedulesOf', 'Read which of some entries have a schedule', {
          parameters: [idsParameter],
          responses: { 200: withDescription(schedules), ...errorsOf(400) },
        }),
      },
      [`/${type.pluralName}/{id}/schedule`]: {
        parameters: [idParameter],
        get: operation('findScheduleOf', 'Read when the entry is published', scheduled),
        post: operation('setScheduleOf', 'Publish the entry at a time', { ...scheduleBody, ...scheduled }),
        delete: operation('cancelScheduleOf', 'Remove its schedule', scheduled),
      },
    }),
    [`/${type.pluralName}/{id}`]: {
      parameters: [idParameter],
      get: operation('findOne', 'Read an entry', {
        parameters: queryParameters(type, 'byId', limits),
        responses: { 200: readEntry, ...errorsOf(400, 404) },
      }),
      put: operation('update', 'Change an entry', update),
      delete: operation('delete', 'Delete an entry', remove),
    },
  };
}

/** The operation of a route of a plugin or the owner; its parameters and responses are those of its description. */
export function operationOf({ method, path, action, description }: Route): Schema {
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const query = (description?.query ?? []).map((name) => ({ name, in: 'query', schema: {} }));
  const { body, form, response } = description ?? {};
  const content = {
    ...(body !== undefined && { 'application/json': { schema: body } }),
    ...(form !== undefined && { 'multipart/form-data': { schema: form } }),
  };
  const isWrite = body !== undefined || form !== undefined;
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary: description?.summary ?? action ?? path,
    tags: [tagOf(action)],
    parameters: [...parameters, ...query],
    ...(isWrite && { requestBody: { required: true, content } }),
    responses: {
      200: response === undefined ? { description: 'Done' } : withDescription(response),
      ...errorsOf(400, ...(parameters.length > 0 ? [404] : []), ...(isWrite ? [413] : []), 429),
    },
  };
}

/** `plugin::upload.content-api.find` belongs to `upload`. */
const tagOf = (action: string | undefined): string => /::([^.]+)/.exec(action ?? '')?.[1] ?? 'Others';
