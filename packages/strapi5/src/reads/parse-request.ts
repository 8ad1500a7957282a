import {
  aggregateParameters,
  emptyQuery,
  parametersOf,
  parseAggregate,
  parseQuery,
  type FormContext,
} from 'content-service/content-api';
import { AppError, type Audience, type ContentType, type Data, type Query } from 'content-service/plugin';
import { EVERY_LOCALE, localeOf, localeOfEntry, namesEveryLocale, namesNoLocale } from '../locale.js';
import { withLocalizations } from './localizations.js';
import type { Settings } from '../settings.js';
import { checkFilters } from '../strict/filters.js';
import { readFields } from '../strict/fields.js';
import { invalidKey } from '../strict/invalid-key.js';
import { readPopulate } from '../strict/populate.js';
import { checkSort } from '../strict/sort.js';
import { checkPublicationFilter, inCohort, ofDrafts, ofPublished, statusOf, withFilter } from '../status.js';
import { isBehindFirst, readPagination } from './pagination.js';

export interface Parsing extends Pick<FormContext, 'limits'>, Pick<Settings, 'strictParams' | 'isNative'> {
  /** Who asks. Default: clients. */
  readonly audience?: Audience;
}

/** The parameters of Strapi 5's content API. */
const knownOfEntries: ReadonlySet<string> = new Set([
  'filters',
  'sort',
  'fields',
  'populate',
  'pagination',
  'status',
  'locale',
  'publicationFilter',
  'hasPublishedVersion',
  '_q',
]);

/** The query of a list. @throws AppError, as the functions that it calls */
export function parseList(input: Data, type: ContentType, parsing: Parsing): Query {
  const core = ofCore(input, localeOf(input, type));
  const query = parse(input, core, checkNames(input, type, parsing), type, parsing);
  return { ...query, pagination: readPagination(input, parsing.limits) };
}

/** Those of groups: what selects values of entries has no meaning there. */
const knownOfGroups: ReadonlySet<string> = new Set([
  ...[...knownOfEntries].filter((name) => name !== 'fields' && name !== 'populate'),
  ...Object.keys(aggregateParameters),
]);

/** The query of the groups of a list. @throws AppError, as the functions that it calls */
export function parseGroups(input: Data, type: ContentType, parsing: Parsing): Query {
  if (parsing.strictParams) refuseUnknown(input, type, knownOfGroups);
  checkFilters(input['filters'], type, { param: 'filters', path: null });
  const pagination = readPagination(input, parsing.limits);
  const parsed = parseAggregate(ofCore(input, localeOf(input, type)), type, 'documents', parsing.limits);
  return { ...inState(parsed, input, type, parsing), pagination };
}

/**
 * The query of one entry, which is not found if it does not match the filters, nor on a later page.
 * @throws AppError notFound, and as `isBehindFirst` and `parseShown`
 */
export function parseOne(input: Data, type: ContentType, parsing: Parsing): Query {
  const query = parseShown(input, type, parsing);
  if (isBehindFirst(input)) throw new AppError('notFound');
  return query;
}

/**
 * What is shown of one entry, also in the answer to a write, on which pages have no effect. A sort is checked, but has
 * none either.
 * @throws AppError notFound where every locale is named, or none, and as `localeOfEntry` and `parseList`
 */
export function parseShown(input: Data, type: ContentType, parsing: Parsing): Query {
  const { sort: _sort, pagination: _pagination, page: _page, pageSize: _pageSize, ...selection } = input;
  const names = checkNames(input, type, parsing);
  if (namesEveryLocale(input, type) || namesNoLocale(input, type)) throw new AppError('notFound');
  localeOfEntry(input['locale'], type);
  // An answer has the entry that guards of the project are asked about.
  const other = parametersOf(type).find(({ name, alternatives }) => alternatives !== undefined && name in input);
  if (other !== undefined) throw invalidKey(other.name, { param: other.name, path: null });
  // So a condition on the locale does not replace the parameter, as it does in lists.
  const core = ofCore(selection, localeOf({ locale: input['locale'] }, type));
  // What is made of a query is remembered with it: it is not rewritten for each request then.
  return { ...parse(selection, core, names, type, parsing), pagination: emptyQuery(type).pagination };
}

/** @param core the parameters as the core reads them */
function parse(
  input: Data,
  core: Data,
  { fields, populate }: CheckedNames,
  type: ContentType,
  parsing: Parsing,
): Query {
  const parsed = parseQuery({ ...core, fields, populate }, type, 'documents', parsing.limits);
  return inState(withLocalizations(parsed, input['locale'] === EVERY_LOCALE), input, type, parsing);
}

/**
 * The parameters as the core reads them: it has other names for some, and knows some beside them that have no effect
 * here.
 */
function ofCore(input: Data, locale: unknown): Data {
  const { pagination: _pagination, start: _start, limit: _limit, status: _status, ...others } = input;
  const { locale: _locale, modified: _modified, publicationState: _state, ...unnamed } = others;
  const { publicationFilter: _filter, hasPublishedVersion: _version, ...rest } = unnamed;
  return { ...rest, ...(locale !== undefined && { locale }) };
}

/** A query for the version that a request names. @throws AppError invalidInput */
function inState(query: Query, input: Data, type: ContentType, parsing: Parsing): Query {
  const status = statusOf(input['status']);
  const shown = inCohort(query, type, input, status);
  const found = namesNoLocale(input, type) ? withFilter(shown, { kind: 'never' }) : shown;
  return status === 'draft' ? ofDrafts(found) : ofPublished(found, parsing);
}

type CheckedNames = ReturnType<typeof checkNames>;

/**
 * Checks all names of a request; `fields` and `populate` are returned as the core reads them.
 * @throws AppError invalidInput
 */
export function checkNames(
  input: Data,
  type: ContentType,
  { strictParams, audience }: Pick<Parsing, 'strictParams' | 'audience'>,
) {
  checkPublicationFilter(input['publicationFilter']);
  if (strictParams) refuseUnknown(input, type, knownOfEntries);
  checkFilters(input['filters'], type, { param: 'filters', path: null, audience });
  checkSort(input['sort'], type, { param: 'sort', path: null, audience });
  const { fields, populate, lookup } = input;
  const checked = {
    fields:
      fields === undefined || fields === null
        ? fields
        : readFields(fields, type, { param: 'fields', path: null, audience }),
    populate: readPopulate(populate, type, audience),
  };
  if (lookup) throw new AppError('invalidValue', "Invalid params: 'lookup'");
  return checked;
}

function refuseUnknown(input: Data, type: ContentType, known: ReadonlySet<string>): void {
  const names = new Set(parametersOf(type).map(({ name }) => name));
  const unknown = Object.keys(input).find((name) => !known.has(name) && !names.has(name));
  if (unknown !== undefined) throw invalidKey(unknown, { param: unknown, path: null });
}
