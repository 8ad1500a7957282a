import type { Send } from './writer.js';

/** Milliseconds after which a request will never be answered. */
const TIMEOUT_MS = 600_000;

/** Routes whose body is not in `data`. */
const isBare = /^\/api\/batch$|\/localizations$/;

/** Sends requests to a service, and notes those that are never answered. */
export function sendTo(url: string, token: string): { readonly send: Send; readonly unanswered: readonly string[] } {
  const unanswered: string[] = [];
  const send: Send = async (method, path, data) => {
    const patience = new AbortController();
    const timer = setTimeout(() => {
      unanswered.push(`${method} ${path}`);
      patience.abort();
    }, TIMEOUT_MS);
    try {
      const answer = await fetch(url + path, {
        method,
        signal: patience.signal,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(data !== undefined && { body: JSON.stringify(isBare.test(path) ? data : { data }) }),
      });
      return { status: answer.status, body: await answer.json() };
    } finally {
      clearTimeout(timer);
    }
  };
  return { send, unanswered };
}
