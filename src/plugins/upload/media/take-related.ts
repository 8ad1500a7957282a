import { isObject, type QueryInput } from '../../../query/parse/input.js';

const RELATED = 'related';

/**
 * Takes `related` out of what a query populates, in any of the forms of `populate`: it is no attribute of files, but
 * found by what refers to them.
 */
export function readRelatedField(query: QueryInput): { readonly rest: QueryInput; readonly wantsRelated: boolean } {
  const { populate, ...others } = query;
  const { rest, found } = takeFrom(populate);
  return { rest: { ...others, ...(rest !== undefined && { populate: rest }) }, wantsRelated: found };
}

function takeFrom(populate: unknown): { readonly rest: unknown; readonly found: boolean } {
  if (populate === '*') return { rest: populate, found: true };
  if (typeof populate === 'string') {
    const names = populate.split(',');
    const kept = names.filter((name) => name.trim().split('.')[0] !== RELATED);
    return { rest: kept.length > 0 ? kept.join(',') : undefined, found: kept.length < names.length };
  }
  if (Array.isArray(populate)) {
    const parts = populate.map(takeFrom);
    const rest = parts.flatMap((part) => (part.rest === undefined ? [] : [part.rest]));
    return { rest: rest.length > 0 ? rest : undefined, found: parts.some((part) => part.found) };
  }
  if (!isObject(populate) || !Object.hasOwn(populate, RELATED)) return { rest: populate, found: false };
  const { [RELATED]: related, ...rest } = populate;
  return { rest, found: related !== 'false' && related !== false };
}
