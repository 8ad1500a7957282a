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
}
