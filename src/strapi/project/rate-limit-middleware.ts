import type { Context, Next } from 'koa';
import { isRecord } from '../../config/record.js';
import { networkOf, type RateLimiter } from '../../mongo/coordination/rate-limits.js';
import { parseInterval } from '../../config/plugins/interval.js';
import type { Anything, Named, StrapiConfig, StrapiContext } from '../strapi.js';
import { isCounted } from './built-in-plugins.js';

/**
 * The middleware `plugin::users-permissions.rateLimit` of Strapi v4. It counts the requests of a client's network to a
 * route, however its path is spelled. Where it has no options, and the action of the service has counted the request,
 * that is enough: it forgives those that succeed.
 */
export const createRateLimitMiddleware =
  ({ config, runtime }: StrapiContext): ((options?: Named) => Anything) =>
  (options = {}) => {
    const settings = { ...settingsIn(config), ...options };
    const hasOptions = Object.keys(options).length > 0;
    const max = Number(settings['max']);
    const within = Math.ceil(parseInterval(settings['interval']) / 1000);
    if (!(max >= 1 && within >= 1)) {
      throw new Error('plugin::users-permissions.rateLimit: max must be a positive integer, and interval milliseconds');
    }
    let limiter: RateLimiter | undefined;
    return async (context: Context, next: Next) => {
      if (settings['enabled'] !== false && (hasOptions || !isCounted(context))) {
        limiter ??= runtime('rateLimit').plugins.storage.rateLimits.open({ name: 'project-route', max, within });
        const { method, path } = (context.state['route'] ?? {}) as Named;
        await limiter.count(`${networkOf(context.ip)} ${method} ${path}`);
      }
      return next();
    };
  };

/** The limit in the settings of users-permissions: those of the service go before those of Strapi v4. */
function settingsIn(config: StrapiConfig): Named {
  const { rateLimit, ratelimit } = config.get('plugin.users-permissions', {}) as Named;
  const ofStrapi = ratelimit as Named;
  if (rateLimit === false) return { ...ofStrapi, enabled: false };
  if (!isRecord(rateLimit)) return ofStrapi;
  const { attempts = 5, minutes = 5 } = rateLimit;
  return { max: attempts, interval: { min: minutes } };
}
