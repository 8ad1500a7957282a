import { isLocalized } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { publicationStateOf, type Action, type Interceptor } from '../../documents/interceptors.js';
import { localizationsThat } from '../../query/narrow.js';
import { canReadRelation, withheldFrom } from '../../documents/rights.js';
import { mapRelated, type PublicationState, type Selection } from '../../query/ast.js';

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
  const added = mapRelated(selection, (query, related, { kind }) =>
    kind === 'morph'
      ? query
      : addTo(query, related, { ...level, action: 'find', state: query.publicationState ?? level.state }),
  );
  return { ...added, ...(availableLocales && { availableLocales }) };
};

function localizationsOf(type: ContentType, { caller, action, state }: Level): Selection['availableLocales'] {
  const attribute = type.attributes.get('localizations');
  if (!isLocalized(type) || attribute === undefined || !canReadRelation(attribute, caller)) return undefined;
  if (withheldFrom(type, caller, action)?.has(attribute) === true) return undefined;
  return type.draftAndPublish && state === 'live' ? (localizationsThat(type, { kind: 'live' }) ?? true) : true;
}
