import type { Api } from '../../api/api.js';
import { readPage, type Entry } from '../../api/entries.js';
import { matchingQuery, type MatchingPart } from '../../model/lists/list-query.js';
import { type ListState } from '../../model/lists/list-state.js';
import type { Attribute, Content, ContentType } from '../../model/schema.js';

/** The entries of a list, whatever page it shows. */
export interface Matching {
  readonly content: Content;
  readonly type: ContentType;
  readonly state: ListState;
  /** What is read of them beside titles and states. */
  readonly attributes?: readonly Attribute[];
}

const readPart = async (api: Api, { content, type, state, attributes }: Matching, part: MatchingPart) =>
  (await readPage(api, type, matchingQuery(content, type, state, part, attributes))).entries;

/** Reads all entries of a list, some at a time. */
export async function* readMatchingPages(api: Api, matching: Matching): AsyncGenerator<readonly Entry[]> {
  let after = 0;
  for (;;) {
    const page = await readPart(api, matching, { after });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.id;
  }
}

/** Reads all entries of a list; what is there meanwhile is reported, until nobody wants it any more. */
export async function readMatching(
  api: Api,
  matching: Matching,
  onRead: (count: number) => void,
  isStopped: () => boolean,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const page of readMatchingPages(api, matching)) {
    if (isStopped()) return entries;
    entries.push(...page);
    onRead(entries.length);
  }
  return entries;
}

/** Those of some entries that the list still has, as they are now. */
export const readStillMatching = (api: Api, matching: Matching, ids: readonly number[]): Promise<readonly Entry[]> =>
  readPart(api, matching, { ids });
