import type { Context, Next } from 'koa';
import type { Anything, Named, StrapiContext } from '../strapi.js';

/** Requests of one address for one path in five minutes, as in Strapi v4. */
const MAX = 5;
const SECONDS = 300;

/** The middleware `plugin::users-permissions.rateLimit` of Strapi v4, for routes of project code. */
export const createRateLimitMiddleware =
  ({ config, runtime }: StrapiContext): ((options?: Named) => Anything) =>
  (options) => {
    const settings = { ...(config.get('plugin.users-permissions.ratelimit', {}) as Named), ...options };
    const max = Number(settings['max'] ?? MAX);
    const within = Math.ceil(Number(settings['interval'] ?? SECONDS * 1000) / 1000);
    return async (context: Context, next: Next) => {
      if (settings['enabled'] !== false) {
        const limiter = runtime('rateLimit').plugins.storage.rateLimits.open({ name: 'project-route', max, within });
        await limiter.count(`${context.ip} ${context.path}`);
      }
      await next();
    };
  };
