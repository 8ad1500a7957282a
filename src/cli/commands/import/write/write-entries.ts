import type { ContentType, Registry } from '../../../../content-types/model/types.js';
import { isLocalized } from '../../../../content-types/model/localized.js';
import type { Replaced, WholeEntry } from '../../../../mongo/write/replace-entries.js';
import type { StagedLinks } from '../../../../mongo/maintenance/staged-links.js';
import type { Store } from '../../../../mongo/store.js';
import type { Reporter } from '../../seed/reporter.js';
import { adaptEntry } from '../read/adapt.js';
import type { Uploads } from '../read/open-uploads.js';
import { changesOf } from './entry-changes.js';
import { fillEntry, ownersIn } from './fill-entry.js';
import { ownerKey } from './place-link.js';
import { createOneToOneGuard } from './one-to-one-guard.js';
import type { Item } from '../source.js';
import type { Scan } from '../scan.js';
import type { Skipped } from '../skipped.js';

export type EntryItem = Extract<Item, { kind: 'entry' }>;

export interface Writing {
  readonly registry: Registry;
  readonly store: Store;
  readonly scan: Scan;
  readonly uploads: Uploads;
  readonly links: StagedLinks;
  readonly skipped: Skipped;
  readonly reporter: Pick<Reporter, 'stored' | 'existing'>;
}

/** Writes the entries of a source. */
export interface EntryWriter {
  /**
   * Entries of one type; those with duplicate unique values are left for `retry`. Returns while the last ones are
   * stored: see `settle`.
   */
  write(type: ContentType, items: readonly EntryItem[]): Promise<void>;
  /** All that was written is stored. */
  settle(): Promise<void>;
  /** Writes an entry that was left, without the values that another one still has. */
  retry(type: ContentType, item: EntryItem): Promise<void>;
  isLeft(item: EntryItem): boolean;
  /** How many are left. */
  readonly left: number;
}

type Links = Awaited<ReturnType<StagedLinks['of']>>;

export function createEntryWriter({ registry, store, scan, uploads, links, skipped, reporter }: Writing): EntryWriter {
  const owners = createOneToOneGuard();
  const waiting = new Set<string>();
  const defaultLocale = String(scan.settings.get('plugin_i18n_default_locale') ?? 'en');

  const localeOf = (type: string, id: number): string =>
    [...(scan.locales.get(type) ?? [])].find(([, ids]) => ids.has(id))?.[0] ?? defaultLocale;
  const prepare = (type: ContentType, { id, data }: EntryItem): EntryItem['data'] => {
    const adapted = adaptEntry(type.uid, id, data, { ...scan, uploads });
    return isLocalized(type) ? { ...adapted, locale: adapted['locale'] ?? defaultLocale } : adapted;
  };
  const read = (
    type: ContentType,
    item: EntryItem,
    found: Links,
    without: ReadonlySet<string>,
    isRepeated: boolean,
  ): WholeEntry => {
    const { id, where } = item;
    const data = fillEntry(type, id, prepare(type, item), {
      registry,
      links: found,
      without,
      has: (uid, target) => scan.ids.get(uid)?.has(target) === true,
      tryClaim: (attribute, target) => owners.tryClaim(attribute, id, target, isRepeated),
      lose: (path, rule) => {
        if (!isRepeated) skipped.add({ ...where, type: type.uid, path, rule });
      },
    });
    return { id, changes: changesOf(type, data, found.get(ownerKey(type.uid, id)) ?? [], registry, localeOf) };
  };
  const linksFor = (type: ContentType, items: readonly EntryItem[]): Promise<Links> =>
    links.of(items.flatMap((item) => ownersIn(type, item.id, item.data)));
  const count = ({ kind }: Replaced): void => (kind === 'same' ? reporter.existing() : reporter.stored());
  const storeAll = async (type: ContentType, entries: readonly WholeEntry[]): Promise<void> => {
    for (const [index, outcome] of (await store.replace(type, entries)).entries()) {
      if (outcome.kind === 'duplicate') waiting.add(ownerKey(type.uid, entries[index]?.id ?? 0));
      else count(outcome);
    }
  };
  let storing: Promise<void> = Promise.resolve();

  return {
    write: async (type, items) => {
      const found = await linksFor(type, items);
      const entries = items.map((item) => read(type, item, found, noPaths, false));
      await storing;
      storing = storeAll(type, entries);
      // The caller that waits for it gets the error.
      storing.catch(() => undefined);
    },
    settle: () => storing,
    retry: async (type, item) => {
      const found = await linksFor(type, [item]);
      const without = new Set<string>();
      for (;;) {
        const entry = read(type, item, found, without, true);
        const [outcome] = await store.replace(type, [entry]);
        if (outcome === undefined) return;
        if (outcome.kind !== 'duplicate') return count(outcome);
        const { path, value } = outcome.duplicate;
        const key = entry.changes.uniqueKeys.add.find(({ k }) => k === value);
        const lost = path === '_unique.k' ? key?.a : path;
        if (lost === undefined || without.has(lost))
          throw new Error(`${type.uid} ${item.id}: ${path} is refused again`);
        without.add(lost);
        skipped.add({
          ...item.where,
          type: type.uid,
          path: lost,
          rule: 'must be unique, and another entry has the value',
        });
      }
    },
    isLeft: ({ type, id }) => waiting.has(ownerKey(type, id)),
    get left() {
      return waiting.size;
    },
  };
}

const noPaths: ReadonlySet<string> = new Set();
