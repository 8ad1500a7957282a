import type { ContentType, Registry } from '../../../../content-types/model/types.js';
import { storedTypes } from '../../../../content-types/model/stored-types.js';
import { referenceRemovals } from '../../../../documents/write/references.js';
import { StartError } from '../../../../errors/start-error.js';
import type { IdSet } from '../../../../mongo/maintenance/check/id-set.js';
import type { Store } from '../../../../mongo/store.js';
import { count } from '../../../io/terminal.js';

/** Entries that the service itself creates at its first start; an import may remove them. */
const ownMade = new Set([
  'plugin::i18n.locale',
  'plugin::users-permissions.role',
  'plugin::users-permissions.permission',
]);

/** Ids that a message names. */
const MAX_LISTED = 5;

/**
 * Removes stored entries of the source's types that are not in the source, so that contents are not mixed.
 * @param allowed entries of the project may be removed too
 * @throws StartError listing them, if that is not allowed
 */
export async function removeOthers(
  registry: Registry,
  store: Store,
  { types, ids }: { readonly types: ReadonlySet<string>; readonly ids: ReadonlyMap<string, IdSet> },
  allowed: boolean,
): Promise<void> {
  const obsolete: { readonly type: ContentType; readonly obsoleteIds: readonly number[] }[] = [];
  for (const type of storedTypes(registry)) {
    if (!types.has(type.uid)) continue;
    const obsoleteIds: number[] = [];
    for await (const id of store.ids(type)) if (ids.get(type.uid)?.has(id) !== true) obsoleteIds.push(id);
    if (obsoleteIds.length > 0) obsolete.push({ type, obsoleteIds });
  }
  const refused = obsolete.filter(({ type }) => !ownMade.has(type.uid));
  if (refused.length > 0 && !allowed) {
    const lines = refused.map(({ type: { uid }, obsoleteIds }) => {
      const suffix = obsoleteIds.length > MAX_LISTED ? ', …' : '';
      return `  ${count(obsoleteIds.length)} of ${uid}: ${obsoleteIds.slice(0, MAX_LISTED).join(', ')}${suffix}`;
    });
    throw new StartError(
      `The database has entries that are not in the import:\n${lines.join('\n')}\n` +
        'Import into an empty database, or add --remove-others to remove them first',
    );
  }
  for (const { type, obsoleteIds } of obsolete) {
    for (const id of obsoleteIds)
      await store.apply([{ kind: 'remove', type, id, references: referenceRemovals(type, id, registry) }]);
  }
}
