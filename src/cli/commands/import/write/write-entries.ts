import type { ContentType, Registry } from '../../../../content-types/model/types.js';
import { isLocalized } from '../../../../content-types/model/localized.js';
import type { Replaced, WholeEntry } from '../../../../mongo/write/replace-entries.js';
import type { StagedLinks } from '../../../../mongo/maintenance/staged-links.js';
import type { Store } from '../../../../mongo/store.js';
import type { Reporter } from '../../seed/reporter.js';
import { adaptEntry } from '../read/adapt.js';
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
  readonly survey: Scan;
  /** Where files are kept. */
  readonly provider: string;
  readonly links: StagedLinks;
  readonly untaken: Skipped;
  readonly tell: Pick<Reporter, 'stored' | 'known'>;
}

/** Writes entries as they are in a source. */
export interface EntryWriter {
  /**
   * Entries of one type; those whose unique values others have are left for `again`. It goes on while the last ones are
   * stored: see `settle`.
   */
  write(type: ContentType, items: readonly EntryItem[]): Promise<void>;
  /** All that was written is stored. */
  settle(): Promise<void>;
  /** Writes an entry that was left, without the values that another one still has. */
  again(type: ContentType, item: EntryItem): Promise<void>;
  isLeft(item: EntryItem): boolean;
  /** How many are left. */
  readonly left: number;
}

type Links = Awaited<ReturnType<StagedLinks['of']>>;

export function createEntryWriter({ registry, store, survey, provider, links, untaken, tell }: Writing): EntryWriter {
  const owners = createOneToOneGuard();
  const waiting = new Set<string>();
  const usual = String(survey.settings.get('plugin_i18n_default_locale') ?? 'en');

  const localeOf = (type: string, id: number): string =>
    [...(survey.locales.get(type) ?? [])].find(([, ids]) => ids.has(id))?.[0] ?? usual;
  const prepare = (type: ContentType, { id, data }: EntryItem): EntryItem['data'] => {
    const adapted = adaptEntry(type.uid, id, data, { ...survey, provider });
    return isLocalized(type) ? { ...adapted, locale: adapted['locale'] ?? usual } : adapted;
  };
  const read = (
    type: ContentType,
    item: EntryItem,
    found: Links,
    without: ReadonlySet<string>,
    again: boolean,
  ): WholeEntry => {
    const { id, where } = item;
    const data = fillEntry(type, id, prepare(type, item), {
      registry,
      links: found,
      without,
      has: (uid, target) => survey.ids.get(uid)?.has(target) === true,
      tryClaim: (attribute, target) => owners.tryClaim(attribute, id, target, again),
      lose: (path, rule) => {
        if (!again) untaken.add({ ...where, type: type.uid, path, rule });
      },
    });
    return { id, changes: changesOf(type, data, found.get(ownerKey(type.uid, id)) ?? [], registry, localeOf) };
  };
  const linksFor = (type: ContentType, items: readonly EntryItem[]): Promise<Links> =>
    links.of(items.flatMap((item) => ownersIn(type, item.id, item.data)));
  const count = ({ kind }: Replaced): void => (kind === 'same' ? tell.known() : tell.stored());
  const storeAll = async (type: ContentType, whole: readonly WholeEntry[]): Promise<void> => {
    for (const [index, outcome] of (await store.replace(type, whole)).entries()) {
      if (outcome.kind === 'duplicate') waiting.add(ownerKey(type.uid, whole[index]?.id ?? 0));
      else count(outcome);
    }
  };
  let storing: Promise<void> = Promise.resolve();

  return {
    write: async (type, items) => {
      const found = await linksFor(type, items);
      const whole = items.map((item) => read(type, item, found, nothing, false));
      await storing;
      storing = storeAll(type, whole);
      // Whoever waits for it meets the error.
      storing.catch(() => undefined);
    },
    settle: () => storing,
    again: async (type, item) => {
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
        untaken.add({
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

const nothing: ReadonlySet<string> = new Set();
