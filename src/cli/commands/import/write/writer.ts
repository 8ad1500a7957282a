import type { ContentType } from '../../../../content-types/model/types.js';
import type { Replaced } from '../../../../mongo/write/replace-entries.js';
import type { Reporter } from '../../seed/reporter.js';
import type { Skipped } from '../skipped.js';
import type { Where } from '../source.js';

/** Writes items of a source together; those with duplicate unique values are left for `retry`. */
export interface Writer<Item> {
  /** Items of one type. Returns while the last ones are stored: see `settle`. */
  write(type: ContentType, items: readonly Item[]): Promise<void>;
  /** All that was written is stored. */
  settle(): Promise<void>;
  /** Writes an item if it was left, without the values that another one still has. */
  retry(type: ContentType, item: Item, where: Where): Promise<void>;
  /** How many are left. */
  readonly left: number;
}

interface WriterParts<Item, Stored> {
  readonly idOf: (item: Item) => number | string;
  /** The stored forms of items. @param without the paths of values that they lose @param isRepeated they were written before */
  readonly prepare: (
    type: ContentType,
    items: readonly Item[],
    without: ReadonlySet<string>,
    isRepeated: boolean,
  ) => Promise<readonly Stored[]>;
  readonly store: (type: ContentType, stored: readonly Stored[]) => Promise<readonly Replaced[]>;
  /** The path of a duplicate value; undefined: it has none. */
  readonly pathOf: (stored: Stored, duplicate: Duplicate) => string | undefined;
  readonly skipped: Skipped;
  readonly reporter: Pick<Reporter, 'stored' | 'existing'>;
}

type Duplicate = Extract<Replaced, { kind: 'duplicate' }>['duplicate'];

const noPaths: ReadonlySet<string> = new Set();

export function createWriter<Item, Stored>({
  idOf,
  prepare,
  store,
  pathOf,
  skipped,
  reporter,
}: WriterParts<Item, Stored>): Writer<Item> {
  const left = new Set<string>();
  const keyOf = ({ uid }: ContentType, item: Item): string => `${uid} ${idOf(item)}`;
  const count = ({ kind }: Replaced): void => (kind === 'same' ? reporter.existing() : reporter.stored());
  const storeAll = async (type: ContentType, items: readonly Item[], prepared: readonly Stored[]): Promise<void> => {
    for (const [index, outcome] of (await store(type, prepared)).entries()) {
      const item = items[index];
      if (outcome.kind !== 'duplicate') count(outcome);
      else if (item !== undefined) left.add(keyOf(type, item));
    }
  };
  let storing: Promise<void> = Promise.resolve();
  return {
    write: async (type, items) => {
      const prepared = await prepare(type, items, noPaths, false);
      await storing;
      storing = storeAll(type, items, prepared);
      // The caller that waits for it gets the error.
      storing.catch(() => undefined);
    },
    settle: () => storing,
    retry: async (type, item, where) => {
      if (!left.has(keyOf(type, item))) return;
      const without = new Set<string>();
      for (;;) {
        const [stored] = await prepare(type, [item], without, true);
        const [outcome] = stored === undefined ? [] : await store(type, [stored]);
        if (stored === undefined || outcome === undefined) return;
        if (outcome.kind !== 'duplicate') return count(outcome);
        const path = pathOf(stored, outcome.duplicate);
        if (path === undefined || without.has(path))
          throw new Error(`${keyOf(type, item)}: ${outcome.duplicate.path} is refused a second time`);
        without.add(path);
        skipped.add({ ...where, type: type.uid, path, rule: 'must be unique, and another entry has the value' });
      }
    },
    get left() {
      return left.size;
    },
  };
}
