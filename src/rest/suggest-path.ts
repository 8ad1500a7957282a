import type { RequestHandler } from 'express';
import { nearestName } from '../errors/nearest-name.js';
import type { ContentType } from '../content-types/model/types.js';
import { noteReason } from '../plugins/contract/response-notes.js';

/**
 * Notes, for the log of development, which path of a content type is meant by one that does not exist, or what turns it
 * on. It responds to nothing.
 * @param optional what turns on paths that are not there, by their name
 */
export const suggestPath =
  (
    prefix: string,
    types: ReadonlyMap<string, ContentType>,
    optional: Readonly<Record<string, string>>,
  ): RequestHandler =>
  ({ path }, response, next) => {
    const [first = '', ...more] = (path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path)
      .slice(1)
      .split('/');
    if (path === `${prefix}/${first}` && Object.hasOwn(optional, first)) {
      noteReason(response, `${path} is there only with ${optional[first]}`);
      return next();
    }
    const meant = meantName(first.toLowerCase(), types);
    const suggested = [prefix, meant, ...more].join('/');
    if (meant !== undefined && suggested !== path)
      noteReason(response, `${path} does not exist; did you mean ${suggested}?`);
    next();
  };

/** The name of a content type in paths: the written one, that of its singular, or the closest one. */
function meantName(name: string, types: ReadonlyMap<string, ContentType>): string | undefined {
  if (types.has(name)) return name;
  const [plural] = [...types].find(([, { singularName }]) => singularName === name) ?? [];
  return plural ?? nearestName(name, types.keys());
}
