import { isIPv6 } from 'node:net';
import type { Db } from 'mongodb';
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../errors/app-error.js';
import { withMaxTimeMS, systemCommandOptions } from '../read/time-limits.js';

/** How often something may happen. */
interface RateLimit {
  /** What is counted; limits of different names do not meet. */
  readonly name: string;
  readonly max: number;
  /** Seconds in which it is counted. */
  readonly within: number;
}

/** Counts by key. */
export interface RateLimiter {
  /** Counts one more. @throws AppError tooManyRequests */
  count(key: string): Promise<void>;
  /** Takes one back, e.g. of a log-in that turned out to be right. */
  forgive(key: string): Promise<void>;
  /** Was something counted, within the time? */
  has(key: string): Promise<boolean>;
}

export interface RateLimits {
  open(limit: RateLimit): RateLimiter;
}

/** How often limits were exceeded in this process. */
export interface Refusals {
  /** By the names of the limits. */
  refusals(): ReadonlyMap<string, number>;
}

/**
 * Rate limits: in memory where this process alone uses the database, else in the `_rate_limits` collection, for all
 * processes together. While the database is away each process counts for itself.
 */
export function openRateLimits(db: Db, exclusive: boolean): RateLimits & Refusals & { sweep(): Promise<void> } {
  const collection = db.collection('_rate_limits');
  const refused = new Map<string, number>();
  const open = ({
    name: keyPrefix,
    max: points,
    within: duration,
  }: RateLimit): RateLimiterMemory | RateLimiterMongo => {
    const localLimiter = new RateLimiterMemory({ keyPrefix, points, duration });
    if (exclusive) return localLimiter;
    // Its own index would let the database expire records, which not every database of ours can.
    const options = {
      storeClient: withMaxTimeMS(db, systemCommandOptions.maxTimeMS),
      tableName: collection.collectionName,
      disableIndexesCreation: true,
    };
    return new RateLimiterMongo({ ...options, keyPrefix, points, duration, insuranceLimiter: localLimiter });
  };
  const indexed = exclusive ? undefined : collection.createIndex({ key: 1 }, { unique: true });
  indexed?.catch(() => undefined);
  return {
    open: (limit) => {
      const limiter = open(limit);
      return {
        count: async (key) => {
          await indexed;
          await limiter.consume(key).catch((error: unknown) => {
            if (!(error instanceof RateLimiterRes)) throw error;
            refused.set(limit.name, (refused.get(limit.name) ?? 0) + 1);
            throw new AppError('tooManyRequests', Math.ceil(error.msBeforeNext / 1000));
          });
        },
        forgive: async (key) => {
          await limiter.reward(key);
        },
        has: async (key) => ((await limiter.get(key))?.consumedPoints ?? 0) > 0,
      };
    },
    refusals: () => refused,
    sweep: async () => {
      if (!exclusive) await collection.deleteMany({ expire: { $lt: new Date() } }, systemCommandOptions);
    },
  };
}

/** Groups of 16 bits that are given to one customer: a /64. */
const NETWORK = 4;
const GROUPS = 8;

/**
 * Whom an address stands for in limits: an IPv4 address itself; of an IPv6 address its /64, out of which a client that has one
 * address can take any other. An IPv4 address that is written as an IPv6 one is itself.
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
