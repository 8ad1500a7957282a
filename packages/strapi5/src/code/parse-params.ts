import { parametersOf, parseQuery, textOf, type FormContext } from 'content-service/content-api';
import { isLocalized, isRecord, type ContentType, type Data, type Filter, type Query } from 'content-service/plugin';
import { defaultLocaleOf, EVERY_LOCALE, localeOfEntry } from '../locale.js';
import { withLocalizations } from '../reads/localizations.js';
import { checkPages, limitOf, startOf } from '../reads/pagination.js';
import { checkNames } from '../reads/parse-request.js';
import { inCohort, ofDrafts, ofPublished, withFilter, type Status } from '../status.js';

/** Code has no limits, and names private attributes too. */
const parsing = { strictParams: false, isNative: true, audience: 'documentCode' } as const;

/**
 * The version that a call of code is about: that of a draft, unless it says otherwise (recorded: code/10-find-many).
 */
export const statusOfCall = ({ status }: Data): Status => (status === 'published' ? 'published' : 'draft');

/** A query that code makes. @param locales of the entries; undefined: of every locale */
export function parseCall(
  params: Data,
  type: ContentType,
  { limits }: Pick<FormContext, 'limits'>,
  locales: readonly string[] | undefined,
): Query {
  checkPages(params);
  const { filters, sort, _q } = params;
  const names = checkNames(params, type, parsing);
  const unlimited = { ...limits, populateLimit: Number.POSITIVE_INFINITY };
  const parsed = parseQuery({ filters, sort, _q, ...names, ...everyLocale(type) }, type, parsing.audience, unlimited);
  const page = {
    form: 'offset',
    withCount: false,
    start: startOf(params['start']),
    limit: limitOf(params['limit']),
  } as const;
  const status = statusOfCall(params);
  const found = withLocalizations({ ...parsed, pagination: page }, false);
  const query = withFilter(inCohort(found, type, params, status), inLocales(type, locales));
  return status === 'draft' ? ofDrafts(query) : ofPublished(query, parsing);
}

/** The core's parameters that select entries of every locale. */
export const everyLocale = (type: ContentType): Readonly<Record<string, string>> =>
  Object.fromEntries(
    parametersOf(type).flatMap(({ name, selects }) => (selects === undefined ? [] : [[name, selects.all]])),
  );

/** The locales of a call about several entries; undefined: all, or the type has none. */
export function localesOf({ locale, filters }: Data, type: ContentType): readonly string[] | undefined {
  // A condition on the locale replaces the default one (recorded: code/14-filters).
  const isFiltered = locale === undefined && isRecord(filters) && Object.hasOwn(filters, 'locale');
  if (!isLocalized(type) || locale === EVERY_LOCALE || isFiltered) return undefined;
  if (locale === undefined || locale === null || locale === '') return [defaultLocaleOf(type) ?? ''];
  const named: unknown = isRecord(locale) ? (locale['$in'] ?? locale['$eq']) : locale;
  const list: readonly unknown[] = [named].flat();
  return list.includes(EVERY_LOCALE) ? undefined : list.map(textOf);
}

/**
 * The locale of a call about one entry; null: there is none, because every locale is named.
 * @throws AppError invalidValue
 */
export function localeOfCall({ locale }: Data, type: ContentType): readonly string[] | undefined | null {
  if (isLocalized(type) && locale === EVERY_LOCALE) return null;
  const code = localeOfEntry(locale, type);
  return code === undefined ? undefined : [code];
}

function inLocales(type: ContentType, locales: readonly string[] | undefined): Filter | undefined {
  const field = type.attributes.get('locale');
  return locales === undefined || field?.kind !== 'scalar'
    ? undefined
    : { kind: 'comparison', field, operator: '$in', operands: locales };
}
