import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { readPage, type Entry } from '../../api/entries.js';
import { useSession } from '../../api/session.js';
import { foundQuery, knownOf, MIN_LETTERS, searchedTypes, type Found } from '../../model/commands/palette.js';
import { titleAttribute, type Content, type ContentType } from '../../model/schema.js';

/** Milliseconds without a key after which the search begins. */
const DELAY_MS = 250;
/** How many requests there are at once. */
const AT_ONCE = 4;

/** Entries of a type, and whether one could not be searched. */
interface Result extends Found<Entry> {
  readonly isComplete: boolean;
}

const titleIn = (type: ContentType, { attributes }: Entry): string =>
  String(attributes[titleAttribute(type)?.name ?? ''] ?? '');

/**
 * Finds entries of all types by their titles: one request for each type when nothing was typed for a moment, four at
 * once, and none for types of which a shorter text has told all. Another letter ends the requests that are under way.
 */
export function useFound(content: Content, typed: string) {
  const { api } = useSession();
  const types = useMemo(() => searchedTypes(content.contentTypes), [content]);
  const [text, setText] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setText(typed), DELAY_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const former = useRef<Result>(undefined);
  const search = async (signal: AbortSignal): Promise<Result> => {
    const entries = new Map<string, readonly Entry[]>();
    const waiting = [...types];
    const work = async (): Promise<void> => {
      for (let type = waiting.shift(); type !== undefined; type = waiting.shift()) {
        const asked = type;
        const known = knownOf(former.current, asked, text, (entry) => titleIn(asked, entry));
        const read = async (): Promise<readonly Entry[] | undefined> =>
          (await readPage(api, asked, foundQuery(asked, text), signal).catch(() => undefined))?.entries;
        const found = known ?? (await read());
        signal.throwIfAborted();
        if (found !== undefined) entries.set(asked.uid, found);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return (former.current = { text, entries, isComplete: entries.size === types.length });
  };
  const isLong = typed.length >= MIN_LETTERS;
  const { data, isFetching } = useQuery({
    queryKey: ['list', 'found', text],
    enabled: isLong && text.length >= MIN_LETTERS,
    queryFn: ({ signal }) => search(signal),
    placeholderData: keepPreviousData,
  });
  const wanted = typed.toLowerCase();
  return {
    isPending: isLong && (isFetching || text !== typed),
    isComplete: data?.isComplete !== false,
    // Until a search has ended, what was found by another text.
    found: types.flatMap((type) =>
      (isLong ? (data?.entries.get(type.uid) ?? []) : [])
        .filter((entry) => data?.text === typed || titleIn(type, entry).toLowerCase().includes(wanted))
        .map((entry) => ({ type, entry })),
    ),
  };
}
