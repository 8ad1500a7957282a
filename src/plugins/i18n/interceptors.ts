import { isLocalized } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { isQuery, publicationStateOf, type Action, type Interceptor } from '../../documents/interceptors.js';
import { localizationsThat } from '../../documents/localizations-that.js';
import { canReadRelation, withheldFrom } from '../../documents/rights.js';
import { type PopulateNode, type PublicationState, type Selection, both, type Filter } from '../../query/ast.js';
import { AppError } from '../../errors/app-error.js';
import type { Locales } from './locales.js';

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
interface Level {
  readonly caller: Caller;
  /** How the entries of this level are read. */
  readonly action: Action;
  readonly state: PublicationState;
}

const addTo = <S extends Selection>(selection: S, type: ContentType, level: Level): S => {
  const availableLocales = localizationsOf(type, level);
  return { ...addWithin(selection, level), ...(availableLocales && { availableLocales }) };
};

function localizationsOf(type: ContentType, { caller, action, state }: Level): Selection['availableLocales'] {
  const attribute = type.attributes.get('localizations');
  if (!isLocalized(type) || attribute === undefined || !canReadRelation(attribute, caller)) return undefined;
  if (withheldFrom(type, caller, action)?.has(attribute) === true) return undefined;
  return type.draftAndPublish && state === 'live' ? (localizationsThat(type, { kind: 'live' }) ?? true) : true;
}

const addWithin = <S extends Selection>(selection: S, level: Level): S => ({
  ...selection,
  populate: selection.populate.map((node) => addToNode(node, level)),
});

function addToNode(node: PopulateNode, level: Level): PopulateNode {
  switch (node.kind) {
    case 'relation': {
      const state = node.query.publicationState ?? level.state;
      return { ...node, query: addTo(node.query, node.attribute.target, { ...level, action: 'find', state }) };
    }
    case 'morph':
      return node;
    case 'component':
      return { ...node, selection: addWithin(node.selection, level) };
    case 'zone':
      return { ...node, on: new Map([...node.on].map(([uid, selection]) => [uid, addWithin(selection, level)])) };
    default:
      return node satisfies never;
  }
}

/**
 * Limits lists, single types and entries by a key to one locale, the default one unless the query says otherwise. One entry by its id
 * and populated relations are in any locale, as recorded from Strapi v4.
 * @param currentLocales called for each query
 */
export const scopeToLocale =
  (currentLocales: () => Locales): Interceptor =>
  (query, { action }) => {
    if (!isQuery(action) || !isLocalized(query.type)) return query;
    const { type, locale = currentLocales().default } = query;
    return locale === 'all' ? query : { ...query, filter: both(query.filter, isIn(locale, type)) };
  };

/** @throws AppError invalidParameter for a value that is neither a code nor a list of codes */
function isIn(locale: unknown, { attributes }: ContentType): Filter {
  const field = attributes.get('locale');
  // As recorded: a parameter without a value is a locale that no entry has.
  if (locale === null || field?.kind !== 'scalar') return { kind: 'never' };
  const codes: readonly unknown[] = Array.isArray(locale) ? locale : [locale];
  if (!codes.every((code) => typeof code === 'string')) throw new AppError('invalidParameter', 'locale');
  return { kind: 'comparison', field, operator: codes.length === 1 ? '$eq' : '$in', operands: codes };
}
