import type { Context, Next } from 'koa';
import { networkOf, type RateLimiter } from '../../mongo/coordination/rate-limits.js';
import { parseInterval } from '../../config/plugins/interval.js';
import type { Anything, Named, StrapiContext } from '../strapi.js';

/**
 * The middleware `plugin::users-permissions.rateLimit` of Strapi v4, for routes of project code. It counts the requests
 * of a client's network to a route, however its path is spelled.
 */
export const createRateLimitMiddleware =
  ({ config, runtime }: StrapiContext): ((options?: Named) => Anything) =>
  (options) => {
    const settings = { ...(config.get('plugin.users-permissions.ratelimit') as Named), ...options };
    const max = Number(settings['max']);
    const within = Math.ceil(parseInterval(settings['interval']) / 1000);
    if (!(max >= 1 && within >= 1)) {
      throw new Error('plugin::users-permissions.rateLimit: max must be a positive integer, and interval milliseconds');
    }
    let limiter: RateLimiter | undefined;
    return async (context: Context, next: Next) => {
      if (settings['enabled'] !== false) {
        limiter ??= runtime('rateLimit').plugins.storage.rateLimits.open({ name: 'project-route', max, within });
        const { method, path } = (context.state['route'] ?? {}) as Named;
        await limiter.count(`${networkOf(context.ip)} ${method} ${path}`);
      }
      await next();
    };
  };
