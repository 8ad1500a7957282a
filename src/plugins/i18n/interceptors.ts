import { isLocalized } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { publicationStateOf, type Action, type Interceptor, isQuery } from '../../documents/interceptors.js';
import { localizationsThat } from '../../query/narrow.js';
import { canReadRelation, withheldFrom } from '../../documents/rights.js';
import {
  mapRelated,
  stateBelow,
  type PublicationState,
  type Selection,
  both,
  type Filter,
  type RelatedQuery,
  type SortKey,
} from '../../query/ast.js';
import { AppError } from '../../errors/app-error.js';
import { valueOf } from '../../query/plugin-parameters.js';
import type { Locales } from './locales.js';
import { fallbackParameter, localeParameter } from './parameters.js';

/**
 * Adds the other localizations to entries of localized types at every level, as if `localizations` were populated
 * there, so drafts are left out where they are. Entries behind morph relations have no place for it.
 * @param isEnabled whether the project enables it
 */
export const addAvailableLocales =
  (isEnabled: () => boolean): Interceptor =>
  (query, { action, caller, presenter }) =>
    caller.kind === 'system' || !presenter?.locales || !isEnabled()
      ? query
      : addTo(query, query.type, { caller, action, state: publicationStateOf(query, action) });

/** The caller, and the publication state of this level. */
interface ReadLevel {
  readonly caller: Caller;
  /** How the entries of this level are read. */
  readonly action: Action;
  readonly state: PublicationState;
}

const addTo = <S extends Selection>(selection: S, type: ContentType, level: ReadLevel): S => {
  const availableLocales = localizationsOf(type, level);
  const added = mapRelated(selection, (query, related, { kind }) =>
    kind === 'morph'
      ? query
      : addTo(query, related, { ...level, action: 'find', state: stateBelow(level.state, query.publicationState) }),
  );
  return { ...added, ...(availableLocales && { availableLocales }) };
};

function localizationsOf(type: ContentType, { caller, action, state }: ReadLevel): Selection['availableLocales'] {
  const attribute = type.attributes.get('localizations');
  if (!isLocalized(type) || attribute === undefined || !canReadRelation(attribute, caller)) return undefined;
  if (withheldFrom(type, caller, action)?.has(attribute) === true) return undefined;
  return type.draftAndPublish && state === 'live' ? (localizationsThat(type, { kind: 'live' }) ?? true) : true;
}

/**
 * Limits lists, single types and entries by a key to one locale, the default one unless the query says otherwise. One
 * entry by its id and populated relations are in any locale, as recorded from Strapi v4. With `fallbackLocale` each
 * entry is in the first locale that there is of it; of one entry, all localizations are candidates.
 * @param currentLocales called for each query; it returns another object when they have changed
 */
export function scopeToLocale(currentLocales: () => Locales): Interceptor {
  const intercept: Interceptor = (query, { action }) => {
    const { type } = query;
    const further = valueOf(query, fallbackParameter);
    const isScoped = (isQuery(action) || further !== undefined) && isLocalized(type);
    const { [localeParameter.name]: locale = currentLocales().default } = query.parameters;
    const state = publicationStateOf(query, action);
    const scoped = withFallbacks(query, { locale, state });
    if (!isScoped) return scoped;
    if (further !== undefined) {
      const locales = inPreference(locale, further, fallbackParameter.name);
      if (action === 'find') return { ...scoped, filter: both(query.filter, fallback(type, locales, state)) };
      const sort = [...inOrder(locales, type), ...query.sort];
      return { ...scoped, filter: both(query.filter, isIn(locales, type)), sort };
    }
    return locale === localeParameter.selects?.all
      ? scoped
      : { ...scoped, filter: both(query.filter, isIn(locale, type)) };
  };
  return Object.assign(intercept, { state: currentLocales });
}

/** @throws AppError invalidParameter for a value that is neither a code nor a list of codes */
function isIn(locale: unknown, { attributes }: ContentType): Filter {
  const field = attributes.get('locale');
  // As recorded: a parameter without a value is a locale that no entry has.
  if (locale === null || field?.kind !== 'scalar') return { kind: 'never' };
  const codes: readonly unknown[] = Array.isArray(locale) ? locale : [locale];
  if (!codes.every((code) => typeof code === 'string')) throw new AppError('invalidParameter', 'locale');
  return { kind: 'comparison', field, operator: codes.length === 1 ? '$eq' : '$in', operands: codes };
}

/** The locales in the order of preference. @throws AppError badRequest */
function inPreference(locale: unknown, further: readonly string[], path: string): readonly string[] {
  if (typeof locale !== 'string' || locale === localeParameter.selects?.all)
    throw new AppError('badRequest', `${path} needs one locale in locale`);
  return [...new Set([locale, ...further])];
}

function inOrder(locales: readonly string[], { attributes }: ContentType): readonly SortKey[] {
  const field = attributes.get('locale');
  return field?.kind === 'scalar' ? [{ through: [], field, direction: 'ascending', among: locales }] : [];
}

const fallback = (type: ContentType, locales: readonly string[], state: PublicationState): Filter => ({
  kind: 'fallback',
  type,
  locales,
  visible: type.draftAndPublish && state === 'live' ? { kind: 'live' } : undefined,
});

/** The locale of the query, and the publication state of this level. */
interface LocaleLevel {
  readonly locale: unknown;
  readonly state: PublicationState;
}

const withFallbacks = <S extends Selection>(selection: S, level: LocaleLevel): S =>
  mapRelated(selection, (query, type, { key }) => limited(query, type, key, level));

/** Related entries of a type; those in any locale, unless they name some. */
function limited(query: RelatedQuery, type: ContentType, key: string, level: LocaleLevel): RelatedQuery {
  const state = stateBelow(level.state, query.publicationState);
  const further = valueOf(query, fallbackParameter);
  const own = further === undefined ? undefined : valueOf(query, localeParameter);
  const locale = own === undefined ? level.locale : own;
  const scoped = withFallbacks(query, { locale, state });
  if (further === undefined) return scoped;
  const codes = inPreference(locale, further, `populate[${key}][${fallbackParameter.name}]`);
  return { ...scoped, filter: both(query.filter, fallback(type, codes, state)) };
}
