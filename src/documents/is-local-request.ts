import type { IncomingMessage } from 'node:http';

/** What proxies say of themselves and of whom they ask for. */
const forwarding = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
];

const loopback = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/;
const localHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

/**
 * Does somebody on this machine ask, for themselves? A proxy on this machine asks for others: most say so, and most keep
 * the name of the host that they were asked for. Proxies that speak HTTP/1.0, as some do by default, are none of us either.
 */
export const isLocalRequest = ({
  socket,
  headers,
  httpVersion,
}: Pick<IncomingMessage, 'headers' | 'httpVersion'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
}): boolean =>
  loopback.test(socket.remoteAddress ?? '') &&
  localHost.test(headers.host ?? '') &&
  httpVersion !== '1.0' &&
  forwarding.every((name) => headers[name] === undefined);
