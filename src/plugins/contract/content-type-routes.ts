import type { JsonSchema } from '../../content-types/model/attribute-types.js';
import { typeName } from '../../content-types/model/type-name.js';
import type { ContentType } from '../../content-types/model/types.js';
import { pathNameOf } from '../../documents/listings.js';
import { measureFunctions } from '../../query/measures.js';
import { aggregateParameters } from '../../query/parse/parse-aggregate.js';
import { isKey } from '../../query/parse/parse-key.js';
import type { PageLimits } from '../../query/parse/parse-pagination.js';
import { parameters } from '../../query/parse/parse-query.js';
import { hasStatus } from '../../query/parse/parse-status.js';
import { parametersOf } from '../../query/plugin-parameters.js';
import type { Audience } from '../../query/visibility.js';
import { coreActions, type CoreAction, type Shortcut } from './answerer.js';
import type { DeclaredRoute, RouteDescription } from './routes.js';
import { refusedTerms, type RefusedTerms, type Term } from './write-terms.js';

/** A route that reads, or one that writes, with the terms that it refuses. */
type Method =
  | { readonly method: 'GET'; readonly refuses?: undefined }
  | { readonly method: Exclude<DeclaredRoute['method'], 'GET'>; readonly refuses: RefusedTerms };

interface CommonRoute {
  /** Types that have it; default: both. */
  readonly kind?: ContentType['kind'];
  /** Below the path of the content type. */
  readonly path: string;
  /** Which of them have it; default: all. */
  readonly isOn?: (type: ContentType) => boolean;
  /** For OpenAPI: its operation, default: the name of the row, and the rest; undefined: no request can succeed. */
  readonly operation?: string;
  readonly describe: (type: ContentType, limits: PageLimits) => RouteDescription | undefined;
}

/**
 * A route of every content type, or of those of a kind, with the action whose permission it needs: one of Strapi v4, or
 * a shortcut.
 */
export type ContentTypeRoute = CommonRoute &
  Method &
  ((Shortcut & { readonly action: string }) | { readonly action: CoreAction; readonly shortcutOf?: undefined });

export const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const ofSingleType = { kind: 'singleType', path: '' } as const;
const ofCollection = { kind: 'collectionType', path: '' } as const;
const ofEntry = { kind: 'collectionType', path: '/:id' } as const;
const byUniqueValue = { kind: 'collectionType', path: '/by/:attribute/:value', allowedWithGuards: false } as const;
const ofSchedules = {
  action: 'update',
  shortcutOf: ['update'],
  allowedWithGuards: true,
  isOn: ({ draftAndPublish }: ContentType): boolean => draftAndPublish,
} as const;

const ofTrash = {
  action: 'delete',
  allowedWithGuards: false,
  isOn: ({ trash }: ContentType): boolean => trash !== undefined,
} as const;

/**
 * The routes of content types by the names of their handlers in `rest`, in the order in which they are matched. To add
 * one, add a row and its handler.
 */
const rows = {
  findSingle: {
    method: 'GET',
    ...ofSingleType,
    action: 'find',
    operation: 'find',
    describe: (type, limits) => ({ summary: 'Read the entry', ...readEntry(type, limits, 'one') }),
  },
  updateSingle: {
    method: 'PUT',
    refuses: refusedTerms.named,
    ...ofSingleType,
    action: 'update',
    operation: 'update',
    describe: (type, limits) => ({ summary: 'Create or change the entry', ...update(type, limits) }),
  },
  deleteSingle: {
    method: 'DELETE',
    refuses: refusedTerms.entry,
    ...ofSingleType,
    action: 'delete',
    operation: 'delete',
    describe: (type, limits) => ({ summary: 'Delete the entry', ...remove(type, limits) }),
  },
  find: {
    method: 'GET',
    ...ofCollection,
    action: 'find',
    describe: (type, limits) => ({
      summary: 'List entries',
      parameters: queryParameters(type, 'list', limits),
      response: reference(`${typeName(type)}ListResponse`),
      errors: [400],
    }),
  },
  create: {
    method: 'POST',
    refuses: refusedTerms.creation,
    ...ofCollection,
    action: 'create',
    describe: (type, limits) => ({
      summary: 'Create an entry',
      parameters: queryParameters(type, 'write', limits),
      body: reference(`${typeName(type)}CreateRequest`),
      response: reference(`${typeName(type)}Response`),
      errors: [400, 409, 413, 422],
    }),
  },
  count: {
    method: 'GET',
    kind: 'collectionType',
    path: '/count',
    action: 'find',
    shortcutOf: ['find'],
    allowedWithGuards: true,
    describe: (type, limits) => ({
      summary: 'Count entries',
      parameters: queryParameters(type, 'count', limits),
      response: inData({ type: 'object', required: ['count'], properties: { count: { type: 'integer', minimum: 0 } } }),
      errors: [400],
    }),
  },
  aggregate: {
    method: 'GET',
    kind: 'collectionType',
    path: '/aggregate',
    action: 'find',
    shortcutOf: ['find'],
    allowedWithGuards: true,
    describe: (type, limits) => ({
      summary: 'Group entries, count them and add up values',
      parameters: groupParameters(type, limits),
      response: groupsResponse,
      isTagged: true,
      errors: [400],
    }),
  },
  findByKey: {
    method: 'GET',
    ...byUniqueValue,
    action: 'findOne',
    shortcutOf: ['findOne'],
    describe: (type, limits) =>
      byKey(type, { summary: 'Read an entry by a unique value', ...readEntry(type, limits, 'one') }),
  },
  writeByKey: {
    method: 'PUT',
    refuses: refusedTerms.named,
    ...byUniqueValue,
    action: 'update',
    shortcutOf: ['update'],
    describe: (type, limits) =>
      byKey(type, {
        summary: 'Change the entry with a unique value, or create it',
        ...update(type, limits),
        parameters: [...queryParameters(type, 'write', limits), upsertParameter],
        furtherStatuses: [201],
      }),
  },
  deleteByKey: {
    method: 'DELETE',
    refuses: refusedTerms.entry,
    ...byUniqueValue,
    action: 'delete',
    shortcutOf: ['delete'],
    describe: (type, limits) =>
      byKey(type, { summary: 'Delete the entry with a unique value', ...remove(type, limits) }),
  },
  findSchedules: {
    method: 'GET',
    kind: 'collectionType',
    path: '/schedules',
    ...ofSchedules,
    operation: 'findSchedulesOf',
    describe: () => ({
      summary: 'Read which entries have a schedule, soonest first',
      parameters: [idsParameter],
      response: inData({
        type: 'array',
        items: { ...times, properties: { id: { type: 'integer' }, publishAt: time, unpublishAt: time } },
      }),
      errors: [400],
    }),
  },
  findSchedule: {
    method: 'GET',
    path: '/:id/schedule',
    ...ofSchedules,
    operation: 'findScheduleOf',
    describe: () => ({ summary: 'Read when the entry is published', ...scheduled }),
  },
  setSchedule: {
    method: 'POST',
    refuses: refusedTerms.schedule,
    path: '/:id/schedule',
    ...ofSchedules,
    operation: 'setScheduleOf',
    describe: () => ({
      summary: 'Publish the entry at a time',
      body: { ...times, example: { publishAt: '2090-01-31T09:00:00Z' } },
      ...rescheduled,
    }),
  },
  cancelSchedule: {
    method: 'DELETE',
    refuses: refusedTerms.schedule,
    path: '/:id/schedule',
    ...ofSchedules,
    operation: 'cancelScheduleOf',
    describe: () => ({ summary: 'Remove its schedule', ...rescheduled }),
  },
  findDeleted: {
    method: 'GET',
    path: '/trash',
    ...ofTrash,
    shortcutOf: ['find', 'delete'],
    operation: 'findDeleted',
    describe: (type, limits) => ({
      summary: 'List deleted entries, the last deletion first',
      parameters: queryParameters(type, 'list', limits),
      response: reference(`${typeName(type)}ListResponse`),
      errors: [400],
    }),
  },
  restoreDeleted: {
    method: 'POST',
    refuses: refusedTerms.deletedEntry,
    path: '/trash/:id/restore',
    ...ofTrash,
    shortcutOf: ['find', 'create', 'delete'],
    operation: 'restoreDeleted',
    describe: () => ({
      summary: 'Restore a deleted entry, with its id and its links',
      pathParameters: [idParameter],
      response: inData({ type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }),
      errors: [400, 404, 409],
    }),
  },
  removeDeleted: {
    method: 'DELETE',
    refuses: refusedTerms.deletedEntry,
    path: '/trash/:id',
    ...ofTrash,
    shortcutOf: ['find', 'delete'],
    operation: 'removeDeleted',
    describe: () => ({
      summary: 'Remove a deleted entry for good',
      pathParameters: [idParameter],
      response: inData({ type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }),
      errors: [404],
    }),
  },
  findOne: {
    method: 'GET',
    ...ofEntry,
    action: 'findOne',
    describe: (type, limits) => ({
      summary: 'Read an entry',
      pathParameters: [idParameter],
      ...readEntry(type, limits, 'byId'),
    }),
  },
  update: {
    method: 'PUT',
    refuses: refusedTerms.entry,
    ...ofEntry,
    action: 'update',
    describe: (type, limits) => ({
      summary: 'Change an entry',
      pathParameters: [idParameter],
      ...update(type, limits),
    }),
  },
  delete: {
    method: 'DELETE',
    refuses: refusedTerms.entry,
    ...ofEntry,
    action: 'delete',
    describe: (type, limits) => ({
      summary: 'Delete an entry',
      pathParameters: [idParameter],
      ...remove(type, limits),
    }),
  },
} as const satisfies Readonly<Record<string, ContentTypeRoute>>;

export type ContentTypeRouteName = keyof typeof rows;
export const contentTypeRoutes: Readonly<Record<ContentTypeRouteName, ContentTypeRoute>> = rows;

const rowsOf = (kind: ContentType['kind']): readonly ContentTypeRoute[] =>
  Object.values(contentTypeRoutes).filter((row) => (row.kind ?? kind) === kind);

/** Strapi v4's routes of the content types of a kind, in its order. */
export const coreRoutesOf = (kind: ContentType['kind']): readonly ContentTypeRoute[] =>
  coreActions.flatMap((action) => rowsOf(kind).filter((row) => row.action === action && row.shortcutOf === undefined));

/** The actions on content types of a kind: first those of Strapi v4, in its order. */
export const actionsOf = (kind: ContentType['kind']): readonly string[] => [
  ...new Set([...coreRoutesOf(kind), ...rowsOf(kind)].map(({ action }) => action)),
];

/** Whether the route is for content types like this one. */
export const isFor = ({ kind, isOn }: ContentTypeRoute, type: ContentType): boolean =>
  (kind ?? type.kind) === type.kind && isOn?.(type) !== false;

/**
 * Whether requests reach a route of a content type that it is for: code of a project can remove it, or stand in its
 * way.
 */
export type HasRoute = (type: ContentType, route: ContentTypeRoute) => boolean;

/**
 * The routes of a content type of the project that requests reach.
 * @param describe describes the route of a name, without the terms of a write; undefined: it is not there
 * @param refusedBy the terms that it refuses in addition
 */
export const routesOfType = (
  type: ContentType,
  hasRoute: HasRoute,
  describe: (name: ContentTypeRouteName) => RouteDescription | undefined,
  refusedBy: (name: ContentTypeRouteName) => RefusedTerms = () => ({}),
): readonly DeclaredRoute[] =>
  (Object.keys(contentTypeRoutes) as ContentTypeRouteName[]).flatMap((name) => {
    const route = contentTypeRoutes[name];
    const { method, path, action, refuses, operation = name } = route;
    const isThere = isFor(route, type) && hasRoute(type, route);
    const described = isThere ? describe(name) : undefined;
    if (described === undefined) return [];
    const terms = refuses === undefined ? [] : termParameters({ ...refuses, ...refusedBy(name) });
    const description = { ...described, parameters: [...(described.parameters ?? []), ...terms] };
    const [id, tag] = [`${operation}${typeName(type)}`, type.displayName];
    return [
      {
        method,
        path: `/${pathNameOf(type)}${path}`,
        action: `${type.uid}.${action}`,
        description: { ...description, id, tag },
      },
    ];
  });

/** Values by the paths that the request names. */
const byPath: JsonSchema = { type: 'object', additionalProperties: true };

/** The answer to a request for groups. */
export const groupsResponse: JsonSchema = {
  type: 'object',
  required: ['data', 'meta'],
  properties: {
    data: {
      type: 'array',
      items: {
        type: 'object',
        required: ['key', 'count'],
        properties: {
          key: byPath,
          count: { type: 'integer', minimum: 0 },
          ...Object.fromEntries(measureFunctions.map((name) => [name, byPath])),
        },
      },
    },
    meta: {
      type: 'object',
      properties: { pagination: reference('Pagination'), overlapping: { type: 'array', items: { type: 'string' } } },
    },
  },
};

/** Of lists, without what selects values of entries; `sort` is of the groups. */
const groupParameters = (type: ContentType, limits: PageLimits): readonly JsonSchema[] => [
  ...Object.entries(aggregateParameters).map(([name, openApi]) => ({ name, in: 'query', ...openApi })),
  ...queryParameters(type, 'groups', limits),
];

/** The schema of an object with this `data`. */
export const inData = (schema: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['data'],
  properties: { data: schema },
});

const readEntry = (type: ContentType, limits: PageLimits, request: 'one' | 'byId') => ({
  parameters: queryParameters(type, request, limits),
  response: reference(`${typeName(type)}Response`),
  isTagged: true,
  errors: [400, 404],
});

/** Of types whose entries have drafts, and no working copies. */
const publicationParameter: JsonSchema = {
  name: 'status',
  in: 'query',
  description: 'Publish the entry; 400 if any of its values is not valid, not only those in the data',
  schema: { type: 'string', enum: ['published'] },
};

const update = (type: ContentType, limits: PageLimits) => ({
  parameters: [
    ...queryParameters(type, 'write', limits),
    ...(type.draftAndPublish && !hasStatus(type) ? [publicationParameter] : []),
  ],
  body: reference(`${typeName(type)}UpdateRequest`),
  response: reference(`${typeName(type)}Response`),
  errors: [400, 404, 409, 412, 413, 422],
});

const remove = (type: ContentType, limits: PageLimits) => ({
  parameters: queryParameters(type, 'write', limits),
  response: reference(`${typeName(type)}Response`),
  errors: [400, 404, 409, 412, 422],
});

/** Undefined for a type without attributes that its entries can be found by. */
function byKey(type: ContentType, description: RouteDescription): RouteDescription | undefined {
  const keys = [...type.attributes.values()].filter(isKey).map(({ name }) => name);
  if (keys.length === 0) return undefined;
  const pathParameters = [
    { name: 'attribute', in: 'path', required: true, schema: { type: 'string', enum: keys } },
    { name: 'value', in: 'path', required: true, schema: { type: 'string', minLength: 1 } },
  ];
  return { ...description, pathParameters };
}

const idParameter: JsonSchema = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };

const time: JsonSchema = { type: ['string', 'null'], format: 'date-time' };
const times: JsonSchema = { type: 'object', properties: { publishAt: time, unpublishAt: time } };
const scheduled = { pathParameters: [idParameter], response: inData(times), errors: [400, 404] };

const idsParameter: JsonSchema = {
  name: 'ids',
  in: 'query',
  schema: { type: 'string', pattern: String.raw`^\d+(,\d+)*$`, example: '1,2,3' },
};

/** The terms of a write. */
const termParameter: Readonly<Record<Term, JsonSchema>> = {
  dryRun: {
    name: 'dryRun',
    in: 'query',
    description: 'Check the write and respond as it would, but store nothing; the `id` of a new entry is null',
    schema: { type: 'boolean', default: false },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag of a GET of the same URL; 412 if the entry has changed since',
    schema: { type: 'string' },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'Create the entry; 412 if it exists',
    schema: { type: 'string', enum: ['*'] },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same request with the same key is executed once within 24 hours',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
};

/** Those that a write keeps. */
export const termParameters = (refused: RefusedTerms): readonly JsonSchema[] =>
  Object.entries(termParameter).flatMap(([term, parameter]) => (Object.hasOwn(refused, term) ? [] : [parameter]));

const rescheduled = {
  ...scheduled,
  errors: [400, 404, 409, 412, 422],
};

const upsertParameter: JsonSchema = {
  name: 'upsert',
  in: 'query',
  description: 'Create the entry if it does not exist',
  schema: { type: 'boolean', default: false },
};

/** The requests that have parameters of queries, and the parts of these that they have, in this order. */
const parts = {
  list: ['filter', 'state', 'page', 'selection', 'scope'],
  count: ['filter', 'state', 'scope'],
  groups: ['filter', 'state', 'page', 'scope'],
  one: ['selection', 'scope', 'state'],
  write: ['selection', 'scope'],
} as const;

/** A parameter of queries of the core or a plugin by its name, as a list; empty: the type does not have it. */
export const queryParameter = (
  name: string,
  type: ContentType,
  limits: PageLimits,
  audience: Audience,
): readonly JsonSchema[] => {
  const row = parameters.find((parameter) => parameter.name === name);
  const openApi = row?.openApi(type, limits, audience) ?? parametersOf(type).find((own) => own.name === name)?.openApi;
  return openApi === undefined ? [] : [{ name, in: 'query', ...openApi }];
};

/**
 * The parameters of queries in a request on a type. The state applies to the entry with an id only if the request can
 * show another.
 */
function queryParameters(
  type: ContentType,
  request: keyof typeof parts | 'byId',
  limits: PageLimits,
): readonly JsonSchema[] {
  const own = parametersOf(type);
  const rows = [
    ...parameters.map(({ openApi, ...row }) => ({ ...row, openApi: openApi(type, limits, 'client') })),
    ...own,
  ];
  const byId = own.some(({ alternatives }) => alternatives !== undefined) || hasStatus(type) ? 'one' : 'write';
  const described = parts[request === 'byId' ? byId : request].flatMap((part) =>
    rows.flatMap(({ name, part: itsPart, openApi }) =>
      itsPart === part && openApi !== undefined ? [{ name, in: 'query', ...openApi }] : [],
    ),
  );
  const status = rows.find(({ name }) => name === 'status')?.openApi;
  const isWrite = request === 'write' && status !== undefined;
  return isWrite ? [...described, { name: 'status', in: 'query', ...status }] : described;
}
