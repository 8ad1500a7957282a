import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useSession } from '../api/session.js';
import { useTexts } from '../language/language.js';
import { RelativeTime } from '../language/relative-time.js';
import { useNotice } from '../shell/notices.js';
import { Loading, Unread } from '../shell/states.js';
import { endOtherSessions, endSession, readSessions } from './read-sessions.js';

/** Where the user is logged in, and what ends that. */
export function Sessions() {
  const texts = useTexts().account.sessions;
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const id = useId();
  const { data, error } = useQuery({ queryKey: ['sessions'], queryFn: () => readSessions(api), gcTime: 0 });
  const end = useMutation({
    mutationFn: (session: string | undefined) =>
      session === undefined ? endOtherSessions(api) : endSession(api, session),
    onSuccess: (_, session) => show({ kind: 'done', text: session === undefined ? texts.othersEnded : texts.ended }),
    onError: (cause) => show({ kind: 'failed', error: cause }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  });
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{texts.title}</h2>
      {error !== null && <Unread error={error} />}
      {data === undefined && error === null && <Loading />}
      <ul className="sessions">
        {data?.map(({ id: session, since, browser, system, current }) => {
          const device = texts.device(browser, system);
          return (
            <li key={session}>
              <span>
                {device}
                <span className="hint">{current ? texts.current : <RelativeTime value={since} />}</span>
              </span>
              {!current && (
                <button
                  type="button"
                  aria-label={texts.endOne(device)}
                  disabled={end.isPending}
                  onClick={() => end.mutate(session)}
                >
                  {texts.end}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      <button type="button" disabled={end.isPending} onClick={() => end.mutate(undefined)}>
        {texts.endOthers}
      </button>
      <p className="hint">{texts.aboutOthers}</p>
    </section>
  );
}
