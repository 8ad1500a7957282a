import { linkAddress } from '../../model/link-address.js';
import { linkQueries, referenceQueries, referencesTo, stepsOf, type UsageQuery } from '../../model/references.js';
import type { Content, ContentType } from '../../model/schema.js';
import type { Api } from '../api.js';
import { readPage, type Entry } from '../entries.js';

/** Entries of a type that refer to another one, and how. */
export interface Referrers {
  readonly type: ContentType;
  /** The names on the way to the relation; undefined: a text links to the entry. */
  readonly steps: readonly string[] | undefined;
  readonly entries: readonly Entry[];
}

/** The entries that refer to an entry, by a relation or by a link in a text, among those that the user may list. */
export async function readReferrers(
  api: Api,
  content: Content,
  type: ContentType,
  entry: Entry,
  limit: number,
): Promise<readonly Referrers[]> {
  // An address without values of the entry is that of a page such as the first one, with which all others begin.
  const address = type.preview?.includes('{') === true ? linkAddress(type, entry) : undefined;
  const links = address === undefined ? [] : linkQueries(content, address, limit);
  const related = referencesTo(content, type.uid).map((reference) => ({
    type: reference.type,
    steps: stepsOf(content, reference),
    queries: referenceQueries(content, reference, entry.id, limit),
  }));
  const linking = [...new Set(links.map((query) => query.type))].map((from) => ({
    type: from,
    steps: undefined,
    queries: links.filter((query) => query.type === from),
  }));
  const read = [...related, ...linking].map(async ({ type: from, steps, queries }) => {
    const found = await readAll(api, queries);
    return { type: from, steps, entries: found.filter(({ id }) => from !== type || id !== entry.id) };
  });
  return (await Promise.all(read)).filter(({ entries }) => entries.length > 0);
}

/** The entries of several queries, each once. */
async function readAll(api: Api, queries: readonly UsageQuery[]): Promise<readonly Entry[]> {
  const pages = await Promise.all(queries.map(({ type, query }) => readPage(api, type, query)));
  return [...new Map(pages.flatMap(({ entries }) => entries).map((entry) => [entry.id, entry])).values()];
}
