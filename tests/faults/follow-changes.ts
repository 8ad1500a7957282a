import type { ReportedChange } from '../support/change-feed.js';

/** The copy of a client that follows the feed: the label of each entry by its id. */
interface Copy {
  readonly position: string;
  readonly entries: ReadonlyMap<number, string>;
}

export interface Follower {
  /** Its copy after each page, the first one before all changes. */
  readonly copies: readonly Copy[];
  /** The changes that it was sent, each once. */
  readonly changes: readonly ReportedChange[];
  /** Goes on from the latest copy, or from an earlier one, until nothing is left. @throws if the service dies */
  follow(url: string, from?: Copy): Promise<Copy>;
}

interface Page {
  readonly data: readonly ReportedChange[];
  readonly meta: { readonly position: string };
}

/** Keeps a copy of all entries of the type `node` by long polling. */
export function createFollower(token: string): Follower {
  const copies: Copy[] = [];
  const changes: ReportedChange[] = [];
  const read = async (url: string, query: string): Promise<Page> => {
    const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json' };
    const response = await fetch(`${url}/api/changes?types=nodes&fields[nodes]=label&wait=0${query}`, { headers });
    if (!response.ok) throw new Error(`The feed responds with ${response.status}`);
    return (await response.json()) as Page;
  };
  return {
    copies,
    changes,
    follow: async (url, from = copies.at(-1)) => {
      const isRepeated = from !== copies.at(-1);
      let copy = from ?? { position: (await read(url, '')).meta.position, entries: new Map<number, string>() };
      if (from === undefined) copies.push(copy);
      for (;;) {
        const { data, meta } = await read(url, `&since=${copy.position}`);
        const entries = new Map(copy.entries);
        for (const { event, id, entry } of data) {
          if (event === 'entry.delete') entries.delete(id);
          else entries.set(id, entry.attributes.label as string);
        }
        copy = { position: meta.position, entries };
        if (!isRepeated) {
          copies.push(copy);
          changes.push(...data);
        }
        if (data.length === 0) return copy;
      }
    },
  };
}
