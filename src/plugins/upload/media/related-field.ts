import { isRecord } from '../../../config/record.js';
import type { QueryInput } from '../../../query/parse/input.js';

const RELATED = 'related';

/**
 * Removes `related` from populate in any form: it is not an attribute of files, but computed from references. Returns the rest of the
 * query for files, and the selection of related entries; undefined if it selects none.
 */
export function readRelatedField(query: QueryInput) {
  const { populate, ...others } = query;
  const { rest, related } = takeFrom(populate);
  return { rest: { ...others, ...(rest !== undefined && { populate: rest }) }, related };
}

const emptyQuery: QueryInput = {};

/** The selection of several paths. */
function mergeRelated(parts: readonly QueryInput[]): QueryInput | undefined {
  if (parts.length === 0) return undefined;
  const below = parts.flatMap(({ populate }) => populate ?? []);
  return below.length > 0 ? { populate: below } : emptyQuery;
}

function takeFrom(populate: unknown): { readonly rest: unknown; readonly related: QueryInput | undefined } {
  if (populate === '*') return { rest: populate, related: emptyQuery };
  if (typeof populate === 'string') {
    const paths = populate.split(',').map((path) => path.trim());
    const others = paths.filter((path) => path.split('.')[0] !== RELATED);
    const below = paths.flatMap((path) => (path.startsWith(`${RELATED}.`) ? [path.slice(RELATED.length + 1)] : []));
    const related = below.length > 0 ? { populate: below } : emptyQuery;
    return {
      rest: others.length > 0 ? others.join(',') : undefined,
      related: others.length < paths.length ? related : undefined,
    };
  }
  if (Array.isArray(populate)) {
    const parts = populate.map(takeFrom);
    const rest = parts.flatMap((part) => (part.rest === undefined ? [] : [part.rest]));
    const related = mergeRelated(parts.map((part) => part.related).filter((part) => part !== undefined));
    return { rest: rest.length > 0 ? rest : undefined, related };
  }
  if (!isRecord(populate) || !Object.hasOwn(populate, RELATED)) return { rest: populate, related: undefined };
  const { [RELATED]: requested, ...rest } = populate;
  if (requested === 'false' || requested === false) return { rest, related: undefined };
  return { rest, related: isRecord(requested) ? requested : emptyQuery };
}
