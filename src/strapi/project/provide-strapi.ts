import type { CreatedStrapi } from '../create-strapi.js';
import type { Provide } from './provide-modules.js';

/** `@strapi/strapi/lib/core-api/service` and the like: what code of projects imports beside the package itself. */
const strapiParts = /^@strapi\/strapi\/(?:lib|dist)\//;
const utilsParts = /^@strapi\/utils\/(?:lib|dist)(?:\/(?<part>[\w-]+))?(?:\.js)?$/;

/**
 * What `@strapi/strapi` and `@strapi/utils` are for a project's code.
 * @throws Error for parts of the packages that are not offered
 */
export function provideStrapi({ factories, utils }: CreatedStrapi): Provide {
  const strapi = { factories };
  return (request) => {
    if (request === '@strapi/strapi') return strapi;
    if (request === '@strapi/utils') return utils;
    if (strapiParts.test(request)) {
      if (/\/factories(?:\.js)?$/.test(request)) return factories;
      throw new Error(`${request} is not available; use @strapi/strapi`);
    }
    const part = utilsParts.exec(request);
    if (part === null) return undefined;
    const name = part.groups?.['part'];
    if (name === undefined || name === 'index') return utils;
    if (name in utils) return utils[name];
    throw new Error(`${request} is not available; use @strapi/utils`);
  };
}
