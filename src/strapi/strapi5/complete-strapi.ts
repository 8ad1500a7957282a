import lodash from 'lodash';
import { strapi5Members } from '../strapi5-members.js';
import { withAbsentOfStrapi5 } from '../absent-members.js';
import type { Anything, Lifecycles, StrapiContext } from '../strapi.js';
import { createContentApiOfCode } from './content-api.js';
import { createEntityServiceOfStrapi5 } from './entity-service.js';
import { utilitiesOfStrapi5 } from './utilities.js';
import { createDocumentsOfCode } from './documents.js';

const UTILS = '@strapi/utils.';

/** Code may import what it does not use. */
const refuse = (name: string) => (): never => {
  throw new Error(`${name} is not supported`);
};

/** The settings of a plugin are also below its uid (recorded: code/20-environment). */
const settingOf = (path: unknown): unknown => (typeof path === 'string' ? path.replace(/^plugin::/, 'plugin.') : path);

/**
 * Adds to `strapi` what only Strapi 5 has. Reads and writes that middlewares of documents are around are observed as
 * those with lifecycle events are.
 */
export function completeStrapi5(context: StrapiContext): void {
  const { strapi } = context;
  const { lifecycles } = strapi.db;
  const documents = createDocumentsOfCode(context, lifecycles);
  const { isObserved } = lifecycles;
  const container = strapi['container'] as Anything;
  Object.assign(lifecycles, {
    isObserved: ((uid, action) =>
      documents.isUsed(action) || isObserved(uid, action)) satisfies Lifecycles['isObserved'],
  });
  for (const method of ['get', 'set', 'has'] as const) {
    const access = strapi.config[method] as (path: unknown, ...rest: unknown[]) => unknown;
    Object.assign(strapi.config, { [method]: (path: unknown, ...rest: unknown[]) => access(settingOf(path), ...rest) });
  }
  Object.assign(context.utils, utilitiesOfStrapi5(context.utils));
  Object.assign(strapi, {
    documents,
    entityService: createEntityServiceOfStrapi5(context, strapi.entityService),
    get: (name: string, given?: unknown): unknown => container.get(name, given),
    add: (name: string, resolver: unknown): unknown => container.register(name, resolver),
  });
  Object.defineProperty(strapi, 'contentAPI', {
    value: createContentApiOfCode(context),
    writable: true,
    configurable: true,
    enumerable: true,
  });
  withAbsentOfStrapi5('strapi', strapi);
  for (const { name, isSupported } of strapi5Members)
    if (!isSupported && name.startsWith(UTILS)) lodash.set(context.utils, name.slice(UTILS.length), refuse(name));
}
