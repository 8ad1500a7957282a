import { createCipheriv, createHmac } from 'node:crypto';
import lodash from 'lodash';
import { EXISTENCE, type Change, type Contained } from './change.js';
import { EXISTS, VALUES, type AttributeNames, type Dependencies } from './dependencies.js';
import { createSizedCache } from './sized-cache.js';

export interface TaggedSources extends Contained {
  readonly dependencies: Dependencies;
}

/** What tags stand for: something about a content type, or about entries of it. */
export interface Names {
  /** The uid; empty for what is about all content types. */
  readonly type: string;
  /** An attribute, or one of the words below, which have a space, as no attribute has. */
  readonly what: string;
  /** Of the entries, each with a tag; 0: about none. */
  readonly ids: ReadonlySet<number>;
}

const noEntry: ReadonlySet<number> = new Set([0]);
/** Of every response, and of those that depend on too much to say what. */
const everything: Names = { type: '', what: 'every response', ids: noEntry };
const anyChange: Names = { type: '', what: 'any change', ids: noEntry };
/** All changes of a type or of entries, and those that do not say of which entry. */
const [ANY, UNNAMED] = ['any change', 'unnamed change'];
const anyOf = (type: string, ids = noEntry): Names => ({ type, what: ANY, ids });
const unnamed = (type: string): Names => ({ type, what: UNNAMED, ids: noEntry });
/** An attribute of entries; of none: of any. */
const valueOf = (type: string, what: string, ids = noEntry): Names => ({ type, what, ids });
/** A link to entries; to none: to any. */
const linkTo = (type: string, attribute: string, existence: string, ids = noEntry): Names => ({
  type,
  what: `${attribute} ${existence}`,
  ids,
});

const countOf = (names: readonly Names[]): number => lodash.sumBy(names, ({ ids }) => ids.size);

/**
 * @param limit the maximum number of names, from 2
 * @returns names of the dependencies; where they would be too many, the type with the most gets one for each entry,
 * then one for all changes
 */
export function namesOfSources(sources: TaggedSources, limit: number): readonly Names[] {
  const types = [...sources.dependencies.keys()];
  if (types.length >= limit) return [everything, anyChange];
  const byType = types.map((type) => namesAt(0, type, sources));
  let count = 1 + lodash.sumBy(byType, 'count');
  while (count > limit) {
    const largest = byType.reduce((one, other) => (one.count < other.count ? other : one));
    const coarser = namesAt(largest.level + 1, largest.type, sources);
    byType[byType.indexOf(largest)] = coarser;
    count += coarser.count - largest.count;
  }
  return [everything, ...byType.flatMap(({ names }) => names)];
}

/** @param level 0: names of what is shown of each entry; 1: of each entry; 2: of the type */
function namesAt(level: number, type: string, sources: TaggedSources) {
  const shown = level === 0 ? (sources.contents?.shown.get(type) ?? 'all') : 'all';
  const names = level < 2 ? namesOfType(type, sources, shown) : [anyOf(type)];
  return { type, level, names, count: countOf(names) };
}

function namesOfType(
  type: string,
  { dependencies, ids, contents }: TaggedSources,
  shown: AttributeNames,
): readonly Names[] {
  const attributes = dependencies.get(type) ?? 'all';
  if (attributes === 'all' || ids === undefined) return [anyOf(type)];
  const names = [unnamed(type)];
  for (const name of attributes) names.push(valueOf(type, name));
  const entries = ids.get(type);
  if (entries !== undefined) names.push(...namesOfEntries(type, entries, shown));
  for (const { type: joined, attribute, existence, of, ids: some = ids.get(of) ?? new Set() } of contents?.joins ?? [])
    if (joined === type) names.push(linkTo(type, attribute, existence), linkTo(type, attribute, existence, some));
  return names;
}

function namesOfEntries(type: string, ids: ReadonlySet<number>, shown: AttributeNames): readonly Names[] {
  if (shown === 'all') return [anyOf(type, ids)];
  // Where all values are shown, they say that an entry is deleted, see `namesOfChanges`: one tag less for each entry.
  const names = shown.has(VALUES) ? shown : new Set([EXISTS, ...shown]);
  return [...names].map((name) => valueOf(type, name, ids));
}

/** The names of the links that a change makes, by what stands for the existence of the entry. */
const namesOfLinks = ({ type, names = [], links = {} }: Change): readonly Names[] =>
  EXISTENCE.flatMap((existence) =>
    Object.entries(links)
      .filter(([attribute]) => names.includes(existence) || names.includes(attribute))
      .map(([attribute, ids]) => linkTo(type, attribute, existence, ids === null ? noEntry : new Set(ids))),
  );

/** The names of what a response that these changes affect depends on. */
export const namesOfChanges = (changes: readonly Change[]): readonly Names[] =>
  changes.flatMap((change) => {
    const { type, id, names, links } = change;
    if (id === undefined || names === undefined || links === undefined) return [anyChange, anyOf(type), unnamed(type)];
    const ofEntry = new Set([0, id]);
    const values = names.map((name) => valueOf(type, name, ofEntry));
    if (names.includes(EXISTS)) values.push(valueOf(type, VALUES, new Set([id])));
    return [anyChange, anyOf(type, ofEntry), ...values, ...namesOfLinks(change)];
  });

/**
 * Characters of a tag, of 4 bits: among a million names, one of hundreds of millions has the tag of another by chance,
 * and is purged with it.
 */
const TAG_LENGTH = 12;
/** Those of an encrypted block. */
const BLOCK_LENGTH = 32;
/** Bytes of the names whose hashes are remembered. Requests choose some of them, by locales that need not exist. */
const HASHES_BYTES = 4 * 2 ** 20;
const BYTES_OF_HASH = 16;

/**
 * The tags of responses and of changes, for caches that purge by tags. A change that may affect a response (`affects`
 * in change.ts) has one of its tags. A tag is the beginning of an encrypted name: nobody can tell from it what it
 * stands for, and whether two services have the same. To encrypt all names of a response at once takes less time than
 * to look up the hash of each.
 * @param secret all processes of the service have it
 * @param limit the maximum number of tags of a response
 */
export function createCacheTags(secret: string, limit: number) {
  const key = createHmac('sha256', secret).update('cache tags').digest();
  // Equal names have equal tags, so each block is encrypted alone.
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const hashes = createSizedCache<number>({ bytes: HASHES_BYTES, sizeOf: () => BYTES_OF_HASH });
  const hashOf = (name: string): number => {
    const known = hashes.get(name);
    if (known !== undefined) return known;
    const hash = keyedHash(key, name);
    hashes.set(name, hash);
    return hash;
  };
  const tagsOf = (names: readonly Names[]): readonly string[] => {
    /** A block of the cipher is two of these: the hash of a name, and an id. */
    const blocks = new Float64Array(countOf(names) * 2);
    let end = 0;
    for (const name of names) {
      const hash = hashOf(`${name.type} ${name.what}`);
      for (const id of name.ids) {
        blocks[end++] = hash;
        blocks[end++] = id;
      }
    }
    const encrypted = cipher.update(blocks).toString('hex');
    const tags: string[] = [];
    for (let start = 0; start < encrypted.length; start += BLOCK_LENGTH)
      tags.push(encrypted.slice(start, start + TAG_LENGTH));
    return tags;
  };
  return {
    ofResponse: (sources: TaggedSources): readonly string[] => tagsOf(namesOfSources(sources, limit)),
    ofChanges: (changes: readonly Change[]): readonly string[] => [...new Set(tagsOf(namesOfChanges(changes)))],
    /** Of every response. */
    everything: tagsOf([everything]).join(),
  };
}

/** A whole number of 53 bits. */
const keyedHash = (key: Buffer, text: string): number =>
  Number(createHmac('sha256', key).update(text).digest().readBigUInt64BE() >> 11n);
