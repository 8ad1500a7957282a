import { isRecord } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { Query } from '../../query/ast.js';
import { isNothing, type QueryInput } from '../../query/parse/input.js';
import { anyValues } from '../../query/plugin-parameters.js';
import { parseQuery, type QueryLimits } from '../../query/parse/parse-query.js';
import { isOwnType } from '../listings.js';

/** The part of a feed for one content type. */
export interface FeedView {
  readonly query: Query;
  /** Its entries are shown, not only their ids. */
  readonly hasEntries: boolean;
}

export interface ParsedFeed {
  readonly types: readonly ContentType[];
  readonly viewOf: (type: ContentType) => FeedView;
  /** Whether the request lists the types; then the caller must be allowed to read each of them. */
  readonly isExplicit: boolean;
}

/** Parameters with a value for each content type. */
const perType = ['filters', 'fields', 'populate'] as const;

/**
 * Parses the parameters of a feed. Content types go by uid or by their name in paths.
 * @param types those that feeds can show, by these names
 * @throws AppError badRequest, and those of `parseQuery`
 */
export function parseFeed(input: QueryInput, types: ReadonlyMap<string, ContentType>, limits: QueryLimits): ParsedFeed {
  const selecting = [...types.values()].flatMap((type) => Object.keys(anyValues(type)));
  const common = ['publicationState', ...selecting];
  const unknown = Object.keys(input).find((name) => !['types', ...perType, ...common].includes(name));
  if (unknown !== undefined) throw new AppError('badRequest', `unknown parameter "${unknown}"`);
  const typeOf = (name: string, parameter: string): ContentType => {
    const type = types.get(name.toLowerCase());
    if (type === undefined) throw new AppError('badRequest', `${parameter}: unknown content type "${name}"`);
    return type;
  };
  const byType = perType.map((parameter) => [parameter, valuesOf(input, parameter, typeOf)] as const);
  const names = namesIn(input['types']);
  const listed = names?.map((name) => typeOf(name, 'types')) ?? [...types.values()].filter(isOwnType);
  for (const [parameter, values] of byType) {
    const other = [...values.keys()].find((type) => !listed.includes(type));
    if (other !== undefined) throw new AppError('badRequest', `${parameter}: ${other.uid} is not among the types`);
  }
  const viewOf = (type: ContentType): FeedView => {
    const own = Object.fromEntries(byType.map(([parameter, values]) => [parameter, values.get(type)]));
    const hasEntries = own['fields'] !== undefined || own['populate'] !== undefined;
    const shared = Object.fromEntries(
      common.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])),
    );
    const query = parseQuery({ ...own, ...anyValues(type), ...shared }, type, 'client', limits);
    return { query: hasEntries ? query : { ...query, fields: [] }, hasEntries };
  };
  // The values are checked before the first event.
  listed.forEach(viewOf);
  return { types: listed, viewOf, isExplicit: names !== undefined };
}

function valuesOf(
  input: QueryInput,
  parameter: string,
  typeOf: (name: string, parameter: string) => ContentType,
): ReadonlyMap<ContentType, unknown> {
  const values = input[parameter];
  if (isNothing(values)) return new Map();
  if (!isRecord(values)) {
    throw new AppError('badRequest', `${parameter} must have a value for each content type: ${parameter}[articles]=…`);
  }
  return new Map(Object.entries(values).map(([name, value]) => [typeOf(name, parameter), value]));
}

/** A list, or names with commas; undefined: all. */
function namesIn(value: unknown): readonly string[] | undefined {
  if (isNothing(value)) return undefined;
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!names.every((name) => typeof name === 'string'))
    throw new AppError('badRequest', 'types must be a list of names');
  return names.flatMap((name) => name.split(',')).map((name) => name.trim());
}
