import { useEffect, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import { RequestError } from '../api/api.js';
import { useSession } from '../api/session.js';
import { messageOf } from '../language/message-of.js';
import { useTexts } from '../language/language.js';
import type { Texts } from '../language/texts.js';
import { Loading } from '../shell/states.js';
import type { Ways } from './ways.js';

/** In the address of the page that a log-in at a provider has led back to: which provider. */
export const RETURNED = 'log-in';

/** A button for each provider, whose log-in leads back to this page. */
export function ProviderLinks(props: {
  readonly providers: Ways['providers'];
  /** What was typed in this page stays. */
  readonly isBeside: boolean;
}) {
  const { providers } = useTexts().account;
  const [path] = useLocation();
  const search = useSearch();
  const page = encodeURIComponent(`${path === '/' ? '' : path}${search && `?${search}`}`);
  return (
    <ul className="providers">
      {props.providers.map(({ label, address }) => (
        <li key={address}>
          <a className="button" href={`${address}${page}`} target={props.isBeside ? '_blank' : undefined}>
            {providers.logInWith(label)}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Ends a log-in at a provider: a cookie, which no script can read, has its outcome. */
export function Returned({
  provider,
  onRefused,
}: {
  readonly provider: string;
  readonly onRefused: (reason: string) => void;
}) {
  const texts = useTexts();
  const { anonymous, start } = useSession();
  const [path, navigate] = useLocation();
  const search = new URLSearchParams(useSearch());
  /** The cookie is good once. */
  const isSent = useRef(false);
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    search.delete(RETURNED);
    const enter = async (): Promise<void> => {
      try {
        start((await anonymous.send('POST', `auth/${encodeURIComponent(provider)}/callback`)).body);
      } catch (error) {
        onRefused(texts.account.providers.refused(reasonOf(texts, error)));
      }
      navigate(`${path}${search.size === 0 ? '' : `?${search}`}`, { replace: true });
    };
    void enter();
  }, []);
  return (
    <main className="begin">
      <Loading />
    </main>
  );
}

const FACTOR_ERRORS: ReadonlySet<string> = new Set(['SecondFactorNeededError', 'SecondFactorMissingError']);

function reasonOf(texts: Texts, error: unknown): string {
  const { account } = texts;
  if (error instanceof RequestError && FACTOR_ERRORS.has(error.name)) return account.providers.needsFactor;
  if (error instanceof RequestError && error.status === 403) return account.noLogIns;
  return messageOf(texts, error);
}
