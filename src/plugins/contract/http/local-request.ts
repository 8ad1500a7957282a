/** Headers that proxies add about themselves and their clients. */
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

/** What a request says of where it came from. */
export interface SentFrom {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: Readonly<Record<string, unknown>> & { readonly host?: string | undefined };
  readonly httpVersion: string;
}

/**
 * Whether a request comes from this machine itself. A proxy on this machine forwards external requests: most add
 * headers, and most keep the original `Host`. Proxies that speak HTTP/1.0, as some do by default, are not local either.
 */
export const isLocalRequest = ({ socket, headers, httpVersion }: SentFrom): boolean =>
  loopback.test(socket.remoteAddress ?? '') &&
  localHost.test(headers.host ?? '') &&
  httpVersion !== '1.0' &&
  forwarding.every((name) => headers[name] === undefined);
