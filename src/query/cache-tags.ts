import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { EXISTENCE, type Change, type Contained } from './change.js';
import type { AttributeNames, Dependencies } from './dependencies.js';

/** What a response depends on. */
export interface TaggedSources extends Contained {
  readonly dependencies: Dependencies;
}

/** Of every response, and of those that depend on too much to say what. */
const [EVERYTHING, ANY_CHANGE] = ['everything', 'any change'];

/** Changes that do not say which entry of the type, all changes of the type, and one attribute or entry of it. */
const unnamed = (type: string): string => `${type} unnamed`;
const anyOf = (type: string): string => `${type} any`;
const attributeOf = (type: string, name: string): string => `${type} .${name}`;
const entryOf = (type: string, id: number): string => `${type} ${id}`;
const linkTo = (type: string, attribute: string, existence: string, id: number): string =>
  `${type} ${attribute} to ${id} ${existence}`;
const anyLink = (type: string, attribute: string, existence: string): string =>
  `${type} ${attribute} to any ${existence}`;
const valueOf = (type: string, id: number, name: string): string => `${type} ${id}.${name}`;

/**
 * @param limit the maximum number of names, from 2
 * @returns names of the dependencies; where they would be too many, those of the types with the most are replaced by their types
 */
export function namesOfSources({ dependencies, ids, contents }: TaggedSources, limit: number): readonly string[] {
  const byType = new Map<string, readonly string[]>();
  let count = 1;
  for (const [type, attributes] of dependencies) {
    const names =
      attributes === 'all' || ids === undefined
        ? [anyOf(type)]
        : [
            unnamed(type),
            ...[...attributes].map((name) => attributeOf(type, name)),
            ...[...(ids.get(type) ?? [])].flatMap((id) => namesOfEntry(type, id, contents?.shown.get(type))),
            ...namesOfJoins(type, { ids, contents }),
          ];
    byType.set(type, names);
    count += names.length;
  }
  if (byType.size >= limit) return [EVERYTHING, ANY_CHANGE];
  if (count > limit) {
    for (const [type, names] of [...byType].toSorted(([, a], [, b]) => b.length - a.length)) {
      if (count <= limit) break;
      byType.set(type, [anyOf(type)]);
      count -= names.length - 1;
    }
  }
  return [EVERYTHING, ...[...byType.values()].flat()];
}

function namesOfEntry(type: string, id: number, shown: AttributeNames = 'all'): readonly string[] {
  if (shown === 'all') return [entryOf(type, id)];
  return [...new Set(['id', ...shown])].map((name) => valueOf(type, id, name));
}

function namesOfJoins(type: string, { ids, contents }: Contained): readonly string[] {
  const joins = contents?.joins.filter((join) => join.type === type) ?? [];
  const names = joins.flatMap(({ attribute, existence, of }) => [
    anyLink(type, attribute, existence),
    ...[...(ids?.get(of) ?? [])].map((id) => linkTo(type, attribute, existence, id)),
  ]);
  return [...new Set(names)];
}

/** The names of the links that a change makes, by what stands for the existence of the entry. */
const namesOfLinks = ({ type, names = EXISTENCE, links = {} }: Change): readonly string[] =>
  EXISTENCE.flatMap((existence) =>
    Object.entries(links).flatMap(([attribute, ids]) => {
      if (!names.includes(existence) && !names.includes(attribute)) return [];
      return ids?.map((id) => linkTo(type, attribute, existence, id)) ?? [anyLink(type, attribute, existence)];
    }),
  );

/** The names of what a response that these changes affect depends on. */
export function namesOfChanges(changes: readonly Change[]): readonly string[] {
  const names = new Set<string>();
  for (const change of changes) {
    const { type, id, names: attributes = EXISTENCE, links } = change;
    const own =
      id === undefined || links === undefined
        ? [unnamed(type)]
        : [
            entryOf(type, id),
            ...attributes.flatMap((name) => [attributeOf(type, name), valueOf(type, id, name)]),
            ...namesOfLinks(change),
          ];
    for (const name of [ANY_CHANGE, anyOf(type), ...own]) names.add(name);
  }
  return [...names];
}

/** Characters of a tag, each of six bits: tags of two names are equal by chance only after billions of entries. */
const TAG_LENGTH = 12;
/** Names whose tags are remembered, about 4 MB: a hash takes longer than the rest. */
const REMEMBERED = 20_000;

/**
 * The tags of responses and of changes, for caches that purge by tags. A change that may affect a response (`affects` in change.ts) has one of
 * its tags. They are keyed hashes: nobody can tell from a tag what it stands for, and whether two services have the same.
 * @param secret all processes of the service have it
 * @param limit the maximum number of tags of a response
 */
export function createCacheTags(secret: string, limit: number) {
  const key = createHmac('sha256', secret).update('cache tags').digest();
  const remembered = new LRUCache<string, string>({ max: REMEMBERED });
  const tagOf = (name: string): string => {
    const known = remembered.get(name);
    if (known !== undefined) return known;
    const tag = createHmac('sha256', key).update(name).digest('base64url').slice(0, TAG_LENGTH);
    remembered.set(name, tag);
    return tag;
  };
  return {
    ofResponse: (sources: TaggedSources): readonly string[] => namesOfSources(sources, limit).map(tagOf),
    ofChanges: (changes: readonly Change[]): readonly string[] => namesOfChanges(changes).map(tagOf),
    /** Of every response. */
    everything: tagOf(EVERYTHING),
  };
}
