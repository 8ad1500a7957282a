import type { Data } from '../../../../config/record.js';
import type { ContentType, Registry, RelationAttribute } from '../../../../content-types/model/types.js';
import { isLocalized, isLocalizations } from '../../../../content-types/model/localized.js';
import type { Replaced, WholeEntry } from '../../../../mongo/write/replace-entries.js';
import type { StagedLinks, StagedLink } from '../../../../mongo/maintenance/staged-links.js';
import type { Store } from '../../../../mongo/store.js';
import type { Reporter } from '../../seed/reporter.js';
import { adaptEntry } from '../read/adapt.js';
import type { Uploads } from '../read/open-uploads.js';
import { fillEntry, ownersIn } from './fill-entry.js';
import { ownerKey } from './place-link.js';
import type { Item } from '../source.js';
import type { Scan } from '../scan.js';
import type { Skipped } from '../skipped.js';
import { parseEntry } from '../../../../documents/input/parse-entry.js';
import { encode } from '../../../../documents/write/encode/encode.js';
import { liveMark } from '../../../../documents/write/encode/encode-entry.js';
import type { Changes } from '../../../../query/mutation.js';
import { isRanked } from '../../../../mongo/stored/relation.js';
import { createIdSet, type IdSet } from '../../../../mongo/maintenance/check/id-set.js';

export type EntryItem = Extract<Item, { kind: 'entry' }>;

interface Writing {
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
  const duplicates = new Set<string>();
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
    ownLinks: Links,
    without: ReadonlySet<string>,
    isRepeated: boolean,
  ): WholeEntry => {
    const { id, where } = item;
    const data = fillEntry(type, id, prepare(type, item), {
      registry,
      links: ownLinks,
      without,
      has: (uid, target) => scan.ids.get(uid)?.has(target) === true,
      tryClaim: (attribute, target) => owners.tryClaim(attribute, id, target, isRepeated),
      lose: (path, rule) => {
        if (!isRepeated) skipped.add({ ...where, type: type.uid, path, rule });
      },
    });
    return { id, changes: changesOf(type, data, ownLinks.get(ownerKey(type.uid, id)) ?? [], registry, localeOf) };
  };
  const linksFor = (type: ContentType, items: readonly EntryItem[]): Promise<Links> =>
    links.of(items.flatMap((item) => ownersIn(type, item.id, item.data)));
  const count = ({ kind }: Replaced): void => (kind === 'same' ? reporter.existing() : reporter.stored());
  const storeAll = async (type: ContentType, entries: readonly WholeEntry[]): Promise<void> => {
    for (const [index, outcome] of (await store.replace(type, entries)).entries()) {
      if (outcome.kind === 'duplicate') duplicates.add(ownerKey(type.uid, entries[index]?.id ?? 0));
      else count(outcome);
    }
  };
  let storing: Promise<void> = Promise.resolve();

  return {
    write: async (type, items) => {
      const ownLinks = await linksFor(type, items);
      const entries = items.map((item) => read(type, item, ownLinks, noPaths, false));
      await storing;
      storing = storeAll(type, entries);
      // The caller that waits for it gets the error.
      storing.catch(() => undefined);
    },
    settle: () => storing,
    retry: async (type, item) => {
      const ownLinks = await linksFor(type, [item]);
      const without = new Set<string>();
      for (;;) {
        const entry = read(type, item, ownLinks, without, true);
        const [outcome] = await store.replace(type, [entry]);
        if (outcome === undefined) return;
        if (outcome.kind !== 'duplicate') return count(outcome);
        const { path, value } = outcome.duplicate;
        const key = entry.changes.uniqueKeys.add.find(({ k }) => k === value);
        const lost = path === '_unique.k' ? key?.a : path;
        if (lost === undefined || without.has(lost))
          throw new Error(`${type.uid} ${item.id}: ${path} is refused a second time`);
        without.add(lost);
        skipped.add({
          ...item.where,
          type: type.uid,
          path: lost,
          rule: 'must be unique, and another entry has the value',
        });
      }
    },
    isLeft: ({ type, id }) => duplicates.has(ownerKey(type, id)),
    get left() {
      return duplicates.size;
    },
  };
}

const noPaths: ReadonlySet<string> = new Set();

/** The stored form of a filled entry, with the ids and ranks of the source. */
function changesOf(
  type: ContentType,
  data: Data,
  links: readonly StagedLink[],
  { contentTypes }: Registry,
  localeOf: (type: string, id: number) => string,
): Changes {
  const encoded = encode(parseEntry(data, type.attributes, true).entry, type, {
    isNew: true,
    defaults: false,
    newComponentId: ({ id = Number.NaN }) => id,
    morphTarget: (uid) => contentTypes.get(uid),
  });
  const { values, references, uniqueKeys } = encoded;
  const ranks = new Map(links.map(({ field, id, rank }) => [`${field} ${id}`, rank]));
  return {
    values: new Map([...values, ...liveMark(values, type)]),
    merges: new Map(),
    links: encoded.links.map((link) => {
      const { attribute, connect } = link;
      const rankOf = (id: number): number => ranks.get(`${attribute.name} ${id}`) ?? 0;
      // The locale of each localization is stored beside its id.
      if (isLocalizations(attribute, type)) return { ...link, ranks: connect.map(({ id }) => localeOf(type.uid, id)) };
      return { ...link, ranks: isRanked(attribute) ? connect.map(({ id }) => rankOf(id)) : [] };
    }),
    references,
    uniqueKeys,
  };
}

/** In exclusive relations, the first owner keeps a target. */
interface OneToOneGuard {
  /** True for the first owner. `isRepeated`: the owner is processed again, with the same result. */
  tryClaim(attribute: RelationAttribute, owner: number, target: number, isRepeated: boolean): boolean;
}

function createOneToOneGuard(): OneToOneGuard {
  const claimed = new Map<RelationAttribute, IdSet>();
  const refused = new Set<string>();
  return {
    tryClaim: (attribute, owner, target, isRepeated) => {
      const { inverse, relation, target: type, name } = attribute;
      if (inverse === undefined || (relation !== 'oneToOne' && relation !== 'oneToMany')) return true;
      const link = `${type.uid} ${name} ${owner} ${target}`;
      if (isRepeated) return !refused.has(link);
      const targets = claimed.get(attribute) ?? createIdSet();
      claimed.set(attribute, targets);
      const free = targets.add(target);
      if (!free) refused.add(link);
      return free;
    },
  };
}
