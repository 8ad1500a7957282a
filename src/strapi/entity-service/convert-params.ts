import lodash from 'lodash';
import { isRecord, isAbsent } from '../../config/record.js';
import { booleanOperand } from '../../content-types/model/attribute-types.js';
import type { Attribute, Attributes, ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import { reasonOf } from '../../errors/reason-of.js';
import { attributesBehind } from '../../content-types/model/walk.js';
import { isNested } from '../../query/parse/input.js';
import type { Named } from '../strapi.js';
import { errors } from '../utilities/errors.js';
import { parseDatabaseQuery } from '../query-engine/parse-database-query.js';
import { RELATED, restoreRelated, takeRelated } from '../query-engine/related-files.js';
import { parseType } from '../utilities/parse-type.js';
import { isOperator } from '../../query/operators.js';
import { refuseNestedRelated } from '../../query/parse/parse-selection.js';

/**
 * Converts parameters of the API (`filters`, `fields`, `sort`, `start`, …) to those of `strapi.db.query`. Others are
 * omitted.
 * @throws Error for invalid values; PaginationError for a page that is not a positive number
 */
export function convertParams(params: Named, { uid, attributes }: ContentType): Named {
  const { _q, page, pageSize, start, limit } = params;
  const { rest, related } = takeRelated(uid, params);
  if (![page, pageSize].every(isAbsent) && ![start, limit].every(isAbsent)) {
    throw new errors.PaginationError(
      'Invalid pagination attributes. You cannot use page and offset pagination in the same query',
    );
  }
  return {
    ...(!isAbsent(_q) && { _q: _q as unknown }),
    ...restoreRelated(convertQuery(rest, attributes), related, convertRelated),
    ...(!isAbsent(page) && { page: pageNumber(page, 'page', page) }),
    // As in Strapi v4, the message shows the page.
    ...(!isAbsent(pageSize) && { pageSize: pageNumber(pageSize, 'pageSize', page) }),
  };
}

/** The common parameters of a query and a populated relation. @throws Error for invalid values */
export function convertQuery(params: Named, attributes: Attributes): Named {
  const { sort, filters, fields, populate, start, limit, publicationState } = params;
  return {
    ...(!isAbsent(sort) && { orderBy: convertSort(sort) }),
    ...(!isAbsent(filters) && { where: convertFilters(filters, attributes) }),
    ...(!isAbsent(fields) && convertFields(fields)),
    ...(!isAbsent(populate) && { populate: convertPopulate(populate, attributes) }),
    ...(!isAbsent(start) && { offset: convertStart(start) }),
    ...(!isAbsent(limit) && convertLimit(limit)),
    ...(!isAbsent(publicationState) && convertPublicationState(publicationState)),
  };
}

/** The parameters of `related`, whose entries have different types. @throws Error for an object to populate */
function convertRelated({ filters, ...params }: Named): Named {
  if (isRecord(params['populate'])) {
    throw new Error('populate of related entries of files takes names or "*" here: use strapi.db.query for objects');
  }
  return { ...convertQuery(params, new Map()), ...(!isAbsent(filters) && { where: filters as unknown }) };
}

/** The parameters of one populated attribute. */
export function convertLoad(params: Named, field: string, { uid, attributes }: ContentType): unknown {
  if (uid === RELATED.uid && field === RELATED.name) return convertRelated(params);
  const converted = convertPopulate({ [field]: params }, attributes);
  return isRecord(converted) ? converted[field] : undefined;
}

/** `title,price:desc`, a list of these, or objects of directions. */
function convertSort(sort: unknown): unknown {
  if (typeof sort === 'string') return sort.split(',').map((word) => sortOf(word.trim()));
  if (Array.isArray(sort)) return sort.flatMap((key) => convertSort(key));
  if (isRecord(sort)) return convertSortTree(sort);
  throw new Error(
    'Invalid sort parameter. Expected a string, an array of strings, a sort object or an array of sort objects',
  );
}

/** An empty word sorts by nothing. */
function sortOf(word: string): Named {
  if (word === '') return {};
  const [path = '', direction = 'asc'] = word.split(':');
  if (path === '') throw new Error('Field cannot be empty');
  checkDirection(direction);
  return path
    .split('.')
    .toReversed()
    .reduce<unknown>((inner, name) => ({ [name]: inner }), direction) as Named;
}

function convertSortTree(tree: Named): Named {
  return lodash.mapValues(tree, (value: unknown) => {
    if (isRecord(value)) return convertSortTree(value);
    if (typeof value !== 'string') throw new Error(`Invalid sort type expected object or string got ${typeof value}`);
    checkDirection(value);
    return value;
  });
}

function checkDirection(direction: string): void {
  if (!['asc', 'desc'].includes(direction.toLowerCase()))
    throw new Error('Invalid order. order can only be one of asc|desc|ASC|DESC');
}

/** `*` alone selects all fields. */
function convertFields(fields: unknown): Named {
  return fields === '*' ? {} : { select: [...new Set(['id', ...fieldNames(fields)])] };
}

function fieldNames(fields: unknown): readonly string[] {
  if (typeof fields === 'string') return fields.split(',').map((name) => name.trim());
  if (Array.isArray(fields)) return fields.flatMap((field) => fieldNames(field));
  throw new Error('Invalid fields parameter. Expected a string or an array of strings');
}

function convertPopulate(populate: unknown, attributes: Attributes): unknown {
  if (populate === '*') return true;
  if (typeof populate === 'boolean') return populate;
  if (typeof populate === 'string') return populate.split(',').map((path) => path.trim());
  if (Array.isArray(populate)) {
    const paths = populate.flatMap((path: unknown) => {
      if (typeof path !== 'string')
        throw new Error('Invalid populate parameter. Expected a string or an array of strings');
      return path.split(',').map((part) => part.trim());
    });
    return [...new Set(paths)];
  }
  if (!isRecord(populate))
    throw new Error('Invalid populate parameter. Expected a string or an array of strings or a populate object');
  const nodes = Object.entries(populate).flatMap(([name, request]) => {
    const attribute = attributes.get(name);
    if (attribute === undefined || attribute.kind === 'scalar' || isNo(request)) return [];
    return [[name, convertNode(request, attribute)] as const];
  });
  return Object.fromEntries(nodes);
}

/** Strings are parsed as booleans; anything but a false value is true. */
const isNo = (request: unknown): boolean => request === false || (typeof request === 'string' && !isYes(request));
const isYes = (value: unknown): boolean => parseType({ type: 'boolean', value, forceCast: true }) === true;

function convertNode(request: unknown, attribute: Exclude<Attribute, { kind: 'scalar' }>): unknown {
  if (request === true || typeof request === 'string') return true;
  if (!isRecord(request)) throw new Error('Invalid nested populate. Expected "*" or an object');
  if (attribute.kind === 'zone') return convertKinds(request, attribute.components);
  if (attribute.kind === 'morph') return convertKinds(request, attribute.candidates);
  if (attribute.kind === 'component') return convertNested(request, attribute.component.attributes);
  refuseNestedRelated(request['populate'], attribute.target);
  return convertNested(request, attribute.target.attributes);
}

function convertNested(request: Named, attributes: Attributes): Named {
  const { count } = request;
  return {
    ...convertQuery(request, attributes),
    ...(!isAbsent(count) && { count: count === true || count === 'true' }),
  };
}

/** By type if `on` lists them; common parameters apply with the attributes of each. */
function convertKinds(request: Named, kinds: ReadonlyMap<string, { readonly attributes: Attributes }>): Named {
  const { on } = request;
  if (isAbsent(on)) {
    return {
      on: Object.fromEntries([...kinds].map(([uid, { attributes }]) => [uid, convertNested(request, attributes)])),
    };
  }
  const named = Object.entries(on as Named).flatMap(([uid, inner]: [string, unknown]) => {
    const kind = kinds.get(uid);
    return kind === undefined ? [] : [[uid, isRecord(inner) ? convertNested(inner, kind.attributes) : inner] as const];
  });
  return { on: Object.fromEntries(named) };
}

function convertStart(input: unknown): number {
  const start = Number(input);
  if (!Number.isInteger(start) || start < 0)
    throw new Error(`convertStartQueryParams expected a positive integer got ${start}`);
  return start;
}

function convertLimit(input: unknown): Named {
  const limit = Number(input);
  if (!Number.isInteger(limit) || limit < -1)
    throw new Error(`convertLimitQueryParams expected a positive integer got ${limit}`);
  return limit === -1 ? {} : { limit };
}

function pageNumber(input: unknown, name: string, shown: unknown): number {
  const number = Number(input);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new errors.PaginationError(`Invalid '${name}' parameter. Expected an integer > 0, received: ${String(shown)}`);
}

/** A function, as in Strapi v4, which is called for every type that is read. */
function convertPublicationState(state: unknown): Named {
  if (state !== 'live' && state !== 'preview') {
    throw new Error(`Invalid publicationState. Expected one of 'preview','live' received: ${String(state)}.`);
  }
  const isLive = state === 'live';
  return {
    filters: ({ meta }: { readonly meta: { readonly attributes: Named } }) =>
      isLive && Object.hasOwn(meta.attributes, 'publishedAt') ? { publishedAt: { $notNull: true } } : undefined,
  };
}

/** Whether it is no attribute, but an operator of filters. */
export const isKeyword = (key: string): boolean => isOperator(key) || ['$and', '$or', '$not'].includes(key);
const isEmpty = (value: unknown): boolean => isNested(value) && Object.keys(value).length === 0;

/** The `where` of a query for filters of the API; as in Strapi v4, unknown attributes and passwords are omitted. */
function convertFilters(filters: unknown, attributes: Attributes): unknown {
  if (Array.isArray(filters)) {
    return filters.map((filter) => convertFilters(filter, attributes)).filter((converted) => !isEmpty(converted));
  }
  if (!isNested(filters)) return filters;
  const kept = Object.entries(filters).flatMap(([key, value]) => {
    const attribute = attributes.get(key);
    const isKept = attribute === undefined ? isKeyword(key) || key === 'id' : isFiltered(attribute);
    // Strapi v4 has no such filter, so that omitting it would not be its behavior.
    if (attribute?.kind === 'zone' && isNested(value) && value['$on'] !== undefined) {
      throw new Error(`${key}: filters on dynamic zones are not supported in strapi.entityService`);
    }
    if (!isKept) return [];
    const behind = attributesBehind(attribute) ?? attributes;
    const isFlag = key === '$null' || key === '$notNull';
    const converted = isFlag ? booleanOperand(value) : convertFilters(value, behind);
    return isEmpty(converted) ? [] : [[key, converted] as const];
  });
  return Object.fromEntries(kept);
}

const isFiltered = (attribute: Attribute): boolean =>
  attribute.kind === 'scalar' ? attribute.type !== 'password' : attributesBehind(attribute) !== undefined;

/**
 * Waits for work with a client's query. In Strapi v4 a query that the query engine refuses is an internal error.
 * @throws ValidationError that names the rule, if the work fails and the query breaks one; otherwise the error of the
 * work
 */
export async function explainQuery<T>(work: Promise<T>, query: Named, type: ContentType | undefined): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError || error instanceof errors.ApplicationError || type === undefined) throw error;
    try {
      parseDatabaseQuery(type, convertParams(query, type));
    } catch (cause) {
      throw new errors.ValidationError(reasonOf(cause));
    }
    throw error;
  }
}
