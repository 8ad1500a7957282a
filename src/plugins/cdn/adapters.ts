import lodash from 'lodash';
import type { Cache, CacheType } from '../contract/plugin-context.js';
import type { OutgoingRequest } from '../contract/http/send.js';

interface Adapter {
  /** The header in which it expects the tags of a response, and what separates them. */
  readonly header: string;
  readonly separator: string;
  /** The maximum number of tags of one purge. */
  readonly batch: number;
  /** The settings without which it cannot purge. */
  readonly needs: readonly ('url' | 'id' | 'token')[];
  /** Where purges are sent unless `url` says otherwise. */
  readonly url?: string;
  readonly request: (cache: Cache, tags: readonly string[]) => OutgoingRequest;
}

const asJson = { 'Content-Type': 'application/json' };
const bearer = (token: string): Readonly<Record<string, string>> =>
  token === '' ? {} : { Authorization: `Bearer ${token}` };

/** A POST with the tags, for code of the project. */
const post: Adapter['request'] = ({ url, token }, tags) => ({
  url,
  headers: { ...asJson, ...bearer(token) },
  body: JSON.stringify({ tags }),
});

/** A request of a caching proxy, with the tags in a header. */
const purge = (url: string, token: string, tags: Readonly<Record<string, string>>): OutgoingRequest => ({
  method: 'PURGE',
  url,
  headers: { ...tags, ...bearer(token) },
  body: '',
});

/** The caches that can be declared, with their limits. */
export const adapters: Readonly<Record<CacheType, Adapter>> = {
  fastly: {
    header: 'Surrogate-Key',
    separator: ' ',
    batch: 256,
    needs: ['id', 'token'],
    url: 'https://api.fastly.com',
    request: ({ url, id, token }, tags) => ({
      url: `${url}/service/${encodeURIComponent(id)}/purge`,
      headers: { ...asJson, 'Fastly-Key': token },
      body: JSON.stringify({ surrogate_keys: tags }),
    }),
  },
  cloudflare: {
    header: 'Cache-Tag',
    separator: ',',
    batch: 30,
    needs: ['id', 'token'],
    url: 'https://api.cloudflare.com',
    request: ({ url, id, token }, tags) => ({
      url: `${url}/client/v4/zones/${encodeURIComponent(id)}/purge_cache`,
      headers: { ...asJson, ...bearer(token) },
      body: JSON.stringify({ tags }),
    }),
  },
  varnish: {
    header: 'xkey',
    separator: ' ',
    batch: 200,
    needs: ['url'],
    request: ({ url, token }, tags) => purge(url, token, { 'xkey-purge': tags.join(' ') }),
  },
  nginx: {
    header: 'Cache-Tag',
    separator: ',',
    batch: 200,
    needs: ['url'],
    request: ({ url, token }, tags) => purge(url, token, { 'Cache-Tag': tags.join(',') }),
  },
  next: { header: 'Cache-Tag', separator: ',', batch: 200, needs: ['url', 'token'], request: post },
  webhook: { header: 'Cache-Tag', separator: ',', batch: 200, needs: ['url'], request: post },
};

/** The requests that purge these tags, in as few as the cache allows. */
export function purgesOf(cache: Cache, tags: readonly string[]): readonly OutgoingRequest[] {
  const { batch, request } = adapters[cache.type];
  return lodash.chunk(tags, batch).map((part) => request(cache, part));
}
