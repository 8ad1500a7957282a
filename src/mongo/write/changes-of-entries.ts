import { groupBy } from '../../config/group-by.js';
import type { ContentType } from '../../content-types/model/types.js';
import { changeOf, withValues, type Change, type NewLinks } from '../../query/change.js';
import type { DependentWrite, PrimaryWrite } from '../../query/mutation.js';
import { COPIED } from '../stored/working-copy.js';
import type { EntryChange } from '../transactions/apply-changes.js';

/**
 * What writes of one operation have changed, for caches: each entry by itself, as it was applied. Removals are not part
 * of it.
 */
export function changesOfEntries(
  applied: readonly EntryChange[],
  primary: PrimaryWrite,
  others: readonly DependentWrite[],
): readonly Change[] {
  const types = new Map([primary, ...others].map(({ type }) => [type.collectionName, type]));
  const own = primary.kind === 'update' ? changeOf(primary) : undefined;
  const isShared = others.some(({ kind }) => kind === 'share');
  return applied.flatMap((change): readonly Change[] => {
    const { collection, id } = change;
    const type = types.get(collection);
    if (type === undefined) return [];
    const relations = [...type.attributes.values()].filter(({ kind }) => kind === 'relation').map(({ name }) => name);
    if (change.kind === 'insert') return [changeOf({ ...change, type })];
    // The entry itself does not change when a copy of it is saved or discarded.
    if ([...change.fields.keys()].every((name) => name === COPIED)) return [];
    const isPrimary = type.uid === primary.type.uid && id === primary.id;
    const stored = [...change.fields.keys()].filter((name) => !name.startsWith('_'));
    // What a localization gets from another is not in the writes.
    const received = relations.filter((name) => stored.includes(name)).map((name) => [name, null]);
    const written = linksOf(type, type.uid === primary.type.uid ? own?.links : undefined, others);
    const unknown = Object.fromEntries(received);
    const links: NewLinks = isShared && !isPrimary ? { ...written, ...unknown } : { ...unknown, ...written };
    const names = new Set([...stored, ...Object.keys(links), ...((isPrimary && own?.names) || [])]);
    return [{ type: type.uid, id, names: withValues(type, [...names]), links }];
  });
}

/**
 * The links that writes may give entries of a type. Some change only ranks and references, which are stored in fields
 * of their own.
 */
function linksOf({ uid }: ContentType, own: NewLinks = {}, others: readonly DependentWrite[]): NewLinks {
  const writes = others.filter((write) => write.kind !== 'share').filter(({ type }) => type.uid === uid);
  const links = [...groupBy(writes, ({ attribute }) => attribute.name)].map(
    ([name, all]) => [name, [...(own[name] ?? []), ...all.map(({ target }) => target.id)]] as const,
  );
  return { ...own, ...Object.fromEntries(links) };
}
