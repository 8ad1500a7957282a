import type { Context, Middleware } from 'koa';
import type { CorsSettings, Origins } from '../../config/cors-settings.js';
import { StartError } from '../../errors/start-error.js';
import { createAllowOrigin } from '../../rest/middleware/cross-origin.js';
import type { Named } from '../strapi.js';
import type { CollectingServer } from './server.js';

/** As in Strapi v4, `'*'` means any origin only if it is the whole setting. Undefined: it is no setting. */
function parseOrigins(origin: unknown): Origins | undefined {
  if (origin === '*') return 'any';
  const names = typeof origin === 'string' ? origin.split(',').map((name) => name.trim()) : origin;
  return Array.isArray(names) ? names.map(String) : undefined;
}

/** A list, or names that commas separate. */
const parseNames = (value: unknown): readonly string[] | undefined =>
  value === undefined || value === null ? undefined : [value].flat().flatMap((one) => String(one).split(/\s*,\s*/));

/**
 * The options of `strapi::cors`.
 * @throws StartError for an origin that Strapi v4 cannot compare, either: it would be a guess whose pages can read
 */
export function parseCors(options: Named, { contextOf }: Pick<CollectingServer, 'contextOf'>): CorsSettings {
  const { credentials, methods, headers, expose, maxAge } = options;
  const given: unknown = 'origin' in options ? options['origin'] : '*';
  const origins = typeof given === 'function' ? given : parseOrigins(given);
  if (origins === undefined)
    throw new StartError(
      'origin of strapi::cors has to be a string, a list or a function: it says which pages can read',
    );
  const lists = { methods: parseNames(methods), headers: parseNames(headers), exposed: parseNames(expose) };
  return {
    origins:
      typeof given === 'function'
        ? async (request, response) => parseOrigins(await given(contextOf(request, response))) ?? []
        : (origins as Origins),
    ...(credentials !== undefined && { credentials: Boolean(credentials) }),
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined)),
    ...(Number(maxAge) >= 0 && { maxAge: Number(maxAge) }),
  };
}

/** `strapi::cors` where code runs for every request: what it allows is decided where it is for all others. */
export function answerOrigin(settings: CorsSettings): Middleware {
  const allow = createAllowOrigin(settings);
  return async (context: Context, next) => {
    if (!(await allow(context.req, context.res))) return next();
    context.status = 204;
    return undefined;
  };
}
