import lodash from 'lodash';
import type { Named, StrapiConfig } from '../strapi.js';

/** `strapi.config` of settings: they are its properties too, as in Strapi v4. */
export function createConfig(settings: Named): StrapiConfig {
  return Object.assign(settings, {
    get: (path?: string | readonly string[], fallback?: unknown): unknown =>
      path === undefined ? settings : lodash.get(settings, path, fallback),
    set: (path: string | readonly string[], value: unknown): unknown => lodash.set(settings, path, value),
    has: (path: string | readonly string[]): boolean => lodash.has(settings, path),
  });
}
