import type { Context, Next } from 'koa';
import { parseInterval } from '../../config/plugins/interval.js';
import type { Anything, Named, StrapiContext } from '../strapi.js';

/** The middleware `plugin::users-permissions.rateLimit` of Strapi v4, for routes of project code. */
export const createRateLimitMiddleware =
  ({ config, runtime }: StrapiContext): ((options?: Named) => Anything) =>
  (options) => {
    const settings = { ...(config.get('plugin.users-permissions.ratelimit') as Named), ...options };
    const max = Number(settings['max']);
    const within = Math.ceil(parseInterval(settings['interval']) / 1000);
    if (!(max >= 1 && within >= 1)) {
      throw new Error('plugin::users-permissions.rateLimit: max must be a positive integer, and interval milliseconds');
    }
    return async (context: Context, next: Next) => {
      if (settings['enabled'] !== false) {
        const limiter = runtime('rateLimit').plugins.storage.rateLimits.open({ name: 'project-route', max, within });
        await limiter.count(`${context.ip} ${context.path}`);
      }
      await next();
    };
  };
