import type { Writable } from 'node:stream';

/**
 * Whether the client has the response, by its conditional headers. `Cache-Control: no-cache` changes nothing: it asks
 * caches on the way to ask the service, and the `fetch` of Node sends it with every condition. Express takes it for a
 * wish to receive the response again.
 */
export function isFresh(request: {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly fresh: boolean;
}): boolean {
  const { 'cache-control': _, ...headers } = request.headers;
  const asking = Object.create(request, { headers: { value: headers } }) as typeof request;
  return asking.fresh;
}

/** The headers of server-sent events: no proxy may keep, compress or buffer them. */
export const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/** Writes a part of a response. Resolves when the client has taken it, or is gone. */
export async function writeAtPace(response: Writable, text: string): Promise<void> {
  if (response.destroyed || response.write(text)) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      response.off('drain', end).off('close', end);
      resolve();
    };
    response.on('drain', end).on('close', end);
  });
}
