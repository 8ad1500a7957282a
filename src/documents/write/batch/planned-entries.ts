import { isLocalized } from '../../../content-types/model/localized.js';
import type { ContentType } from '../../../content-types/model/types.js';
import { isUnique } from '../../../content-types/model/unique.js';
import { AppError } from '../../../errors/app-error.js';
import type { StoringWrite } from '../../../mongo/compile/write/preview.js';
import type { Store } from '../../../mongo/store.js';
import type { LazyEntry } from '../../../query/entry-presenter.js';
import { emptyQuery } from '../../context.js';
import { first } from '../../read.js';
import { taken } from '../taken-values.js';
import type { PlannedEntries } from './planned.js';

export function createPlannedEntries(store: Pick<Store, 'preview'>): PlannedEntries {
  const writes: StoringWrite[] = [];
  const removed: { readonly type: ContentType; readonly id: number; readonly entry: LazyEntry }[] = [];
  const names = new Map<StoringWrite, number>();
  const find = (type: ContentType, id: number): StoringWrite | undefined =>
    writes.find((write) => write.kind === 'insert' && write.type === type && (names.get(write) ?? write.id) === id);
  return {
    add: (write) => {
      const issues = writes.flatMap((earlier) => sharedUniqueValues(earlier, write)).map((name) => taken([name]));
      if (issues.length > 0) throw new AppError('validation', issues);
      writes.push(write);
    },
    nameLast: (id) => {
      const last = writes.at(-1);
      if (last !== undefined) names.set(last, id);
    },
    values: (type, name) => writes.flatMap((write) => (write.type === type ? [write.changes.values.get(name)] : [])),
    matches: async (type, id, filter) => {
      const write = find(type, id);
      if (write === undefined) return false;
      return (await store.preview(write, { ...first(emptyQuery(type)), filter }, {})) !== undefined;
    },
    remove: (type, id, entry) => void removed.push({ type, id, entry }),
    removed: (type, id) => removed.find((removal) => removal.type === type && removal.id === id)?.entry,
    missing: (targets, stored) =>
      new Map(
        [...targets].map(([type, ids]) => {
          const deleted = new Set(removed.flatMap((entry) => (entry.type === type ? [entry.id] : [])));
          const absent = new Set(stored.get(type));
          const isMissing = (id: number): boolean =>
            deleted.has(id) || (absent.has(id) && find(type, id) === undefined);
          return [type, [...ids].filter(isMissing)] as const;
        }),
      ),
  };
}

/** The unique attributes for which two entries have the same value. */
function sharedUniqueValues(earlier: StoringWrite, { type, changes: { values } }: StoringWrite): readonly string[] {
  if (earlier.type !== type) return [];
  const former = earlier.changes.values;
  if (isLocalized(type) && former.get('locale') !== values.get('locale')) return [];
  return [...type.attributes.values()].filter(isUnique).flatMap(({ name }) => {
    const value = values.get(name);
    return value !== undefined && value === former.get(name) ? [name] : [];
  });
}
