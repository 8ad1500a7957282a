/** The kinds of caches that can be declared. */
export type CacheType = 'fastly' | 'cloudflare' | 'varnish' | 'nginx' | 'next' | 'webhook';

/** A cache in front of the service, as `config/cdn.json` declares it. */
export interface Cache {
  readonly name: string;
  readonly type: CacheType;
  /** Where purges are sent; default: the address of the provider. */
  readonly url: string;
  /** The id of the Fastly service or the zone of Cloudflare; empty for others. */
  readonly id: string;
  /** The value of the environment variable that `token` names; empty without one. */
  readonly token: string;
  /** The header with the tags of a response. */
  readonly header: string;
  /** False in tests of a project, which must not purge its site. */
  readonly isReached: boolean;
}

/** A request that purges. */
interface PurgeRequest {
  readonly method: 'POST' | 'PURGE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty: none. */
  readonly body: string;
}

interface Adapter {
  /** The header in which it expects the tags of a response, and what separates them. */
  readonly header: string;
  readonly separator: string;
  /** The maximum number of tags of one purge. */
  readonly maxTags: number;
  /** The settings without which it cannot purge. */
  readonly needs: readonly ('url' | 'id' | 'token')[];
  /** Where purges are sent unless `url` says otherwise. */
  readonly url?: string;
  readonly request: (cache: Cache, tags: readonly string[]) => PurgeRequest;
}

const asJson = { 'Content-Type': 'application/json' };
const bearer = (token: string): Readonly<Record<string, string>> =>
  token === '' ? {} : { Authorization: `Bearer ${token}` };

/** A POST with the tags, for code of the project. */
const post: Adapter['request'] = ({ url, token }, tags) => ({
  method: 'POST',
  url,
  headers: { ...asJson, ...bearer(token) },
  body: JSON.stringify({ tags }),
});

/** A request of a caching proxy, with the tags in a header. */
const purge = (url: string, token: string, tags: Readonly<Record<string, string>>): PurgeRequest => ({
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
    maxTags: 256,
    needs: ['id', 'token'],
    url: 'https://api.fastly.com',
    request: ({ url, id, token }, tags) => ({
      method: 'POST',
      url: `${url}/service/${encodeURIComponent(id)}/purge`,
      headers: { ...asJson, 'Fastly-Key': token },
      body: JSON.stringify({ surrogate_keys: tags }),
    }),
  },
  cloudflare: {
    header: 'Cache-Tag',
    separator: ',',
    maxTags: 30,
    needs: ['id', 'token'],
    url: 'https://api.cloudflare.com',
    request: ({ url, id, token }, tags) => ({
      method: 'POST',
      url: `${url}/client/v4/zones/${encodeURIComponent(id)}/purge_cache`,
      headers: { ...asJson, ...bearer(token) },
      body: JSON.stringify({ tags }),
    }),
  },
  varnish: {
    header: 'xkey',
    separator: ' ',
    maxTags: 200,
    needs: ['url'],
    request: ({ url, token }, tags) => purge(url, token, { 'xkey-purge': tags.join(' ') }),
  },
  nginx: {
    header: 'Cache-Tag',
    separator: ',',
    maxTags: 200,
    needs: ['url'],
    request: ({ url, token }, tags) => purge(url, token, { 'Cache-Tag': tags.join(',') }),
  },
  next: { header: 'Cache-Tag', separator: ',', maxTags: 200, needs: ['url', 'token'], request: post },
  webhook: { header: 'Cache-Tag', separator: ',', maxTags: 200, needs: ['url'], request: post },
};
