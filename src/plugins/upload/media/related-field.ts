import { isRecord } from '../../../config/record.js';
import type { QueryInput } from '../../../query/parse/input.js';

const RELATED = 'related';

/** A query for files, and its selection of related entries; undefined if it selects none. */
interface RelatedTaken {
  readonly rest: QueryInput;
  readonly related: QueryInput | undefined;
}

/**
 * Removes `related` from populate in any form: it is not an attribute of files, but
 * computed from references.
 */
export function readRelatedField(query: QueryInput): RelatedTaken {
  const { populate, ...others } = query;
  const { rest, related } = takeFrom(populate);
  return { rest: { ...others, ...(rest !== undefined && { populate: rest }) }, related };
}

const emptyQuery: QueryInput = {};

function takeFrom(populate: unknown): { readonly rest: unknown; readonly related: QueryInput | undefined } {
  if (populate === '*') return { rest: populate, related: emptyQuery };
  if (typeof populate === 'string') {
    const names = populate.split(',');
    const otherNames = names.filter((name) => name.trim().split('.')[0] !== RELATED);
    const related = otherNames.length < names.length ? emptyQuery : undefined;
    return { rest: otherNames.length > 0 ? otherNames.join(',') : undefined, related };
  }
  if (Array.isArray(populate)) {
    const parts = populate.map(takeFrom);
    const rest = parts.flatMap((part) => (part.rest === undefined ? [] : [part.rest]));
    const related = parts.find((part) => part.related !== undefined)?.related;
    return { rest: rest.length > 0 ? rest : undefined, related };
  }
  if (!isRecord(populate) || !Object.hasOwn(populate, RELATED)) return { rest: populate, related: undefined };
  const { [RELATED]: requested, ...rest } = populate;
  if (requested === 'false' || requested === false) return { rest, related: undefined };
  return { rest, related: isRecord(requested) ? requested : emptyQuery };
}
