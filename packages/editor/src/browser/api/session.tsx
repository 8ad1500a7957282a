import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTexts } from '../language/language.js';
import { inLanguage, type DescribedContent } from '../model/help/in-language.js';
import type { Preferences } from '../model/schema.js';
import { createApi, type Api } from './api.js';
import { forgetUnsaved } from '../unsaved/unsaved-texts.js';
import { forgetTab, keep, readKeptJson } from './kept.js';

export interface User {
  readonly id: number;
  readonly username: string;
}

interface Stored {
  readonly jwt: string;
  readonly user: User;
}

interface Session {
  readonly user: User | undefined;
  readonly api: Api;
  /** The API without the user, for log-ins. */
  readonly anonymous: Api;
  /** The token ran out while the user worked: what they typed is still there. */
  readonly isEnded: boolean;
  readonly start: (answer: unknown) => void;
  /** The user has another name from now on. */
  readonly rename: (username: string) => void;
  readonly end: () => void;
}

const KEY = 'content-service.session';
const Context = createContext<Session | undefined>(undefined);

/** Where the page says that the API is. */
const { api: prefix = '/api' } = document.documentElement.dataset;

/** The user who is logged in, in all tabs of the browser. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const texts = useTexts();
  const queries = useQueryClient();
  const [stored, setStored] = useState<Stored | undefined>(readStored);
  // What is read again at once has the new token already.
  const token = useRef(stored?.jwt);
  const change = (next: Stored | undefined): void => {
    token.current = next?.jwt;
    setStored(next);
  };
  const [isEnded, setEnded] = useState(false);
  useEffect(() => {
    const follow = (event: StorageEvent): void => {
      if (event.key !== KEY) return;
      const next = readStored();
      // The user has logged out in another tab.
      if (next === undefined) forgetTab();
      change(next);
      if (next === undefined) return;
      // The user has logged in there again.
      setEnded(false);
      void queries.invalidateQueries();
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, [queries]);
  const store = (next: Stored | undefined): void => {
    keep('localStorage', KEY, next && JSON.stringify(next));
    change(next);
  };
  const session = useMemo((): Session => {
    const api = createApi({ prefix, texts, token: () => token.current, onEnd: () => setEnded(true) });
    return {
      user: stored?.user,
      api,
      anonymous: createApi({ prefix, texts }),
      isEnded,
      start: (answer) => {
        const { jwt, user } = answer as Partial<Stored> & Pick<Stored, 'user'>;
        // Who has to prove a second factor first gets none, and logs in next.
        if (jwt === undefined) return;
        const next = { jwt, user: { id: user.id, username: user.username } };
        store(next);
        setEnded(false);
        if (next.user.id !== stored?.user.id) queries.clear();
        else void queries.invalidateQueries();
      },
      rename: (username) => stored && store({ ...stored, user: { ...stored.user, username } }),
      end: () => {
        // Nobody waits for it: this browser forgets the token anyhow, and those from before had no session.
        api.send('POST', 'auth/logout', { outlivesPage: true }).catch(() => undefined);
        // What was typed and not stored is the user's too.
        forgetUnsaved(stored?.user.id);
        forgetTab();
        queries.clear();
        store(undefined);
        setEnded(false);
      },
    };
  }, [stored, isEnded, queries, texts]);
  return <Context value={session}>{children}</Context>;
}

export function useSession(): Session {
  const session = use(Context);
  if (session === undefined) throw new Error('There is no SessionProvider');
  return session;
}

/** What the user may see and change. */
export function useContent() {
  const { api, user } = useSession();
  const { code } = useTexts();
  return useQuery({
    queryKey: ['content'],
    enabled: user !== undefined,
    staleTime: 60_000,
    queryFn: async () => ((await api.get('admin/content')).body as { data: DescribedContent }).data,
    select: useCallback((content: DescribedContent) => inLanguage(content, code), [code]),
  });
}

/** Keeps preferences in the account of the user, by name; null removes one. Returns all of them. */
export const writePreferences = async (api: Api, changes: Preferences): Promise<Preferences> =>
  ((await api.send('PUT', 'admin/account', { body: changes })).body as { data: Preferences }).data;

function readStored(): Stored | undefined {
  const stored = readKeptJson('localStorage', KEY) as Stored | undefined;
  return typeof stored?.jwt === 'string' ? stored : undefined;
}
