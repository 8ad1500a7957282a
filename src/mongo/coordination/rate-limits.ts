import { isIPv6 } from 'node:net';
import type { Db } from 'mongodb';
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../errors/app-error.js';
import { withMaxTimeMS, systemCommandOptions } from '../read/time-limits.js';

interface RateLimit {
  /** The name of the limit; limits of different names are independent. */
  readonly name: string;
  readonly max: number;
  /** The window in seconds. */
  readonly within: number;
}

/**
 * Rate limits: in memory if only this process uses the database, otherwise in the `_rate_limits` collection, for all
 * processes together. While the database is unavailable each process counts for itself.
 */
export function openRateLimits(db: Db, exclusive: boolean) {
  const collection = db.collection('_rate_limits');
  const refused = new Map<string, number>();
  // A TTL index could expire the records, but not every supported database has them.
  const shared = {
    storeClient: withMaxTimeMS(db, systemCommandOptions.maxTimeMS),
    tableName: collection.collectionName,
    disableIndexesCreation: true,
  };
  const indexed = exclusive ? undefined : collection.createIndex({ key: 1 }, { unique: true });
  indexed?.catch(() => undefined);
  return {
    open: ({ name, max, within }: RateLimit) => {
      const limit = { keyPrefix: name, points: max, duration: within };
      const local = new RateLimiterMemory(limit);
      const limiter = exclusive ? local : new RateLimiterMongo({ ...shared, ...limit, insuranceLimiter: local });
      return {
        /** Counts one more. @throws AppError tooManyRequests */
        count: async (key: string): Promise<void> => {
          await indexed;
          await limiter.consume(key).catch((error: unknown) => {
            if (!(error instanceof RateLimiterRes)) throw error;
            refused.set(name, (refused.get(name) ?? 0) + 1);
            throw new AppError('tooManyRequests', Math.ceil(error.msBeforeNext / 1000));
          });
        },
        /** Takes one count back, e.g. of a successful login. */
        forgive: async (key: string): Promise<void> => {
          await limiter.reward(key);
        },
        /** Whether anything was counted within the window. */
        has: async (key: string): Promise<boolean> => ((await limiter.get(key))?.consumedPoints ?? 0) > 0,
      };
    },
    /** How often limits were exceeded in this process, by their names. */
    refusals: (): ReadonlyMap<string, number> => refused,
    sweep: async (): Promise<void> => {
      if (!exclusive) await collection.deleteMany({ expire: { $lt: new Date() } }, systemCommandOptions);
    },
  };
}

export type RateLimits = ReturnType<typeof openRateLimits>;
export type RateLimiter = ReturnType<RateLimits['open']>;

/** Groups of 16 bits that are given to one customer: a /64. */
const NETWORK = 4;
const GROUPS = 8;

/**
 * The client of an address in limits: an IPv4 address itself; of an IPv6 address its /64, because a client that has one
 * address can use any other of it. An IPv4-mapped IPv6 address counts as IPv4.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '');
  if (!isIPv6(plain)) return address;
  // In lower case, without leading zeros, an IPv4 part in hexadecimal digits.
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [left = [], right = []] = canonical.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const gap = Array.from({ length: GROUPS - left.length - right.length }, () => '0');
  const groups = [...left, ...gap, ...right];
  if (groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff') return ipv4Of(groups.slice(6));
  return `${groups.slice(0, NETWORK).join(':')}::/64`;
}

const ipv4Of = (groups: readonly string[]): string =>
  groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]).join('.');
