import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { RequestError } from '../../api/api.js';
import type { Entry } from '../../api/entries.js';
import { useSession } from '../../api/session.js';
import type { ContentType } from '../../model/schema.js';
import { thisTab } from '../../api/kept.js';
import { announce, leave, type Presence } from './announce.js';

/** Milliseconds between two announcements; the service forgets a form after 50 seconds without one. */
const INTERVAL_MS = 20_000;
/** Of the name of a session. */
const MOST_CHARACTERS = 64;
/** Announcements of a page that nobody looks at, until its user counts as gone. */
const MOST_UNSEEN = 15;

/** Who else has the entry of a form open. */
export interface Seen extends Presence {
  /** The entry is not there any more, or the user may not see it. */
  readonly isGone: boolean;
}

/** Says that the form of an entry is open, as long as it is, and returns who else is there, as far as it is known. */
export function usePresence(type: ContentType, entry: Entry | undefined, unsaved: boolean): Seen {
  const { api } = useSession();
  const [tab] = useState(thisTab);
  const unseen = useRef(0);
  const sent = useRef<Promise<unknown>>(undefined);
  const id = type.presence === true ? entry?.id : undefined;
  // The same after the page was loaded again, also where its end could not be told.
  const session = `${tab}-${type.path}-${id ?? ''}`.slice(-MOST_CHARACTERS);
  const time = entry?.attributes['updatedAt'];
  const seen = typeof time === 'string' ? time : undefined;
  const { data, error } = useQuery({
    queryKey: ['presence', type.uid, id, session, unsaved, seen],
    enabled: id !== undefined,
    queryFn: () => {
      unseen.current = document.hidden ? unseen.current + 1 : 0;
      const announced = announce(api, type, id ?? 0, { session, unsaved, seen });
      sent.current = announced.catch(() => undefined);
      return announced;
    },
    // Each of these says something: none is left out because the answer to one before it is there.
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: () => (unseen.current > MOST_UNSEEN ? false : INTERVAL_MS),
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: 'always',
  });
  useEffect(() => {
    if (id === undefined) return undefined;
    const goNow = (): void => void leave(api, session);
    addEventListener('pagehide', goNow);
    return () => {
      removeEventListener('pagehide', goNow);
      // An announcement that arrived later would bring the session back.
      void Promise.resolve(sent.current).then(goNow);
    };
  }, [id]);
  const isGone = error instanceof RequestError && error.status === 404;
  return { others: [], ...(error === null && data), isGone };
}
