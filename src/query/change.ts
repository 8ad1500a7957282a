import { isLocalized } from '../content-types/model/localized.js';
import type { ContentType } from '../content-types/model/types.js';
import { EXISTS, inLocale, PUBLISHED, VALUES, type AttributeNames, type Contents, type Join } from './dependencies.js';
import type { EntryName, Links, ReferenceRemoval, Write } from './mutation.js';

/** What a write changed: one entry, or anything of a content type. */
export interface Change {
  /** The uid of the content type. */
  readonly type: string;
  /** The only entry; undefined: any. */
  readonly id?: number;
  /** Without an only entry: all that it changed, if they are known. Caches need not tell them apart. */
  readonly ids?: readonly number[];
  /**
   * The attributes of an entry that exists before and after, or what stands for its existence, see `Dependencies`; `*`
   * stands for all values that are stored in the entry itself. Undefined: anything.
   */
  readonly names?: readonly string[];
  /** The entries to which it may have got links, by each changed attribute that stores these; null: any. */
  readonly links?: NewLinks;
}

export type NewLinks = Readonly<Record<string, readonly number[] | null>>;

/** The ids of entries by the uids of their content types. */
export type EntryIds = ReadonlyMap<string, ReadonlySet<number>>;

/** What a write changes when it is executed. */
export function changeOf(write: Write | ReferenceRemoval): Change {
  const type = write.type.uid;
  if (write.kind === 'insert') return existenceOf(write, write.document, linkedIds(write.type, write.document));
  // It may have been published. It has no locale: localizations refer to each other, so that several writes remove one.
  if (write.kind === 'remove') return existenceOf(write, { publishedAt: true });
  if (write.kind !== 'update') return { type };
  const { values, merges, links } = write.changes;
  const names = [...values.keys(), ...merges.keys(), ...links.map(({ attribute }) => attribute.name)];
  return { type, id: write.id, names: withValues(write.type, names), links: newLinks(links) };
}

/** Adds the name of all values, if one of these is such a value. */
export const withValues = ({ attributes }: ContentType, names: readonly string[]): readonly string[] =>
  names.some((name) => attributes.get(name)?.kind !== 'relation') ? [...names, VALUES] : names;

/** The ids in the relations of a stored document. */
const linkedIds = ({ attributes }: ContentType, document: Readonly<Record<string, unknown>>): NewLinks =>
  Object.fromEntries(
    [...attributes.values()].flatMap(({ kind, name }) =>
      kind === 'relation' ? [[name, [document[name] ?? []].flat().map(Number)]] : [],
    ),
  );

const newLinks = (links: readonly Links[]): NewLinks =>
  Object.fromEntries(links.map(({ attribute: { name }, connect }) => [name, connect.map(({ id }) => id)]));

/**
 * A new or deleted entry.
 * @param links of a new one; default: a deleted one gets none
 */
export function existenceOf(
  { type, id }: EntryName,
  { publishedAt, locale }: Readonly<Record<string, unknown>>,
  links: NewLinks = linkedIds(type, {}),
): Change {
  const names = type.draftAndPublish && publishedAt === undefined ? [EXISTS] : EXISTENCE;
  const ofLocale = isLocalized(type) && typeof locale === 'string' ? names.map((name) => inLocale(name, locale)) : [];
  return { type: type.uid, id, links, names: [...names, ...ofLocale] };
}

/** Changes of anything in these types. */
export const changesOf = (types: Iterable<ContentType>): readonly Change[] =>
  [...new Set(types)].map(({ uid }) => ({ type: uid }));

/** See `Dependencies`: what a new or deleted entry changes that is published, or whose type has no drafts. */
export const EXISTENCE: readonly string[] = [EXISTS, PUBLISHED];

export interface Contained {
  /** Default: none. */
  readonly ids?: EntryIds | undefined;
  /** Default: all of these. */
  readonly contents?: Contents | undefined;
}

/**
 * Whether a result may be different after a change of a type on which it depends.
 * @param decisive the dependencies of the result on this type
 */
export function affects(change: Change, decisive: AttributeNames, { ids, contents }: Contained): boolean {
  const { type, id, names } = change;
  if (id === undefined || names === undefined || decisive === 'all') return true;
  if (names.some((name) => decisive.has(name))) return true;
  const joins = contents?.joins.filter((join) => join.type === type) ?? [];
  if (joins.some((join) => isJoined(change, join, join.ids ?? ids?.get(join.of)))) return true;
  if (ids?.get(type)?.has(id) !== true) return false;
  const shown = contents?.shown.get(type) ?? 'all';
  return shown === 'all' || names.some((name) => name === EXISTS || shown.has(name));
}

/** Whether an entry may have got a link to one of these. */
function isJoined(
  { names = [], links }: Change,
  { attribute, existence }: Join,
  ids: ReadonlySet<number> | undefined,
): boolean {
  if (!names.includes(existence) && !names.includes(attribute)) return false;
  const got = links?.[attribute];
  return got == null || got.some((id) => ids?.has(id) === true);
}

/** The ids of all parts, by content type. */
export function uniteIds<K>(
  parts: readonly ReadonlyMap<K, ReadonlySet<number>>[],
): ReadonlyMap<K, ReadonlySet<number>> {
  const united = new Map<K, Set<number>>();
  for (const [type, ids] of parts.flatMap((part) => [...part])) {
    const ofType = united.get(type) ?? new Set();
    for (const id of ids) ofType.add(id);
    united.set(type, ofType);
  }
  return united;
}
