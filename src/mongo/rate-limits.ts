import type { Db } from 'mongodb';
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../errors/app-error.js';
import { limitTime } from './limit-time.js';
import { ownCommand } from './own-command.js';

/** How often something may happen. */
export interface RateLimit {
  /** What is counted; limits of different names do not meet. */
  readonly name: string;
  readonly most: number;
  /** Seconds in which it is counted. */
  readonly within: number;
}

/** Counts by key. */
export interface RateLimiter {
  /** Counts one more. @throws AppError tooManyRequests */
  count(key: string): Promise<void>;
  /** Takes one back, e.g. of a log-in that turned out to be right. */
  forgive(key: string): Promise<void>;
}

export interface RateLimits {
  open(limit: RateLimit): RateLimiter;
}

/**
 * Rate limits: in memory where this process alone uses the database, else in the `_rate_limits` collection, for all
 * processes together. While the database is away each process counts for itself.
 */
export function openRateLimits(db: Db, owned: boolean): RateLimits & { sweep(): Promise<void> } {
  const collection = db.collection('_rate_limits');
  const open = ({
    name: keyPrefix,
    most: points,
    within: duration,
  }: RateLimit): RateLimiterMemory | RateLimiterMongo => {
    const memory = new RateLimiterMemory({ keyPrefix, points, duration });
    if (owned) return memory;
    // Its own index would let the database expire records, which not every database of ours can.
    const options = {
      storeClient: limitTime(db, ownCommand.maxTimeMS),
      tableName: collection.collectionName,
      disableIndexesCreation: true,
    };
    return new RateLimiterMongo({ ...options, keyPrefix, points, duration, insuranceLimiter: memory });
  };
  const indexed = owned ? undefined : collection.createIndex({ key: 1 }, { unique: true });
  indexed?.catch(() => undefined);
  return {
    open: (limit) => {
      const limiter = open(limit);
      return {
        count: async (key) => {
          await indexed;
          await limiter.consume(key).catch((error: unknown) => {
            throw error instanceof RateLimiterRes ? new AppError('tooManyRequests') : error;
          });
        },
        forgive: async (key) => {
          await limiter.reward(key);
        },
      };
    },
    sweep: async () => {
      if (!owned) await collection.deleteMany({ expire: { $lt: new Date() } }, ownCommand);
    },
  };
}
