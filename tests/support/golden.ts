import { describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { link } from '../../src/content-types/link/link.js';
import { load } from '../../src/content-types/load/load.js';
import { sqlite, type Dialect } from '../../src/content-types/model/dialects.js';
import type { ContentType, Registry } from '../../src/content-types/model/types.js';
import { system } from '../../src/documents/caller.js';
import { imposePublicationState } from '../../src/documents/interceptors.js';
import { compileQuery, pipelineOf } from '../../src/mongo/compile/read/compile-query.js';
import type { ReadPlan } from '../../src/mongo/compile/plan.js';
import { createI18n } from '../../src/plugins/i18n/i18n.js';
import { createUpload } from '../../src/plugins/upload/upload.js';
import { createUsersPermissions } from '../../src/plugins/users-permissions/users-permissions.js';
import type { Query } from '../../src/query/ast.js';
import type { QueryInput } from '../../src/query/parse/input.js';
import { parseQuery, type QueryLimits } from '../../src/query/parse/parse-query.js';
import { parseQueryString, type Asked } from '../../src/calls/query-string.js';

/** The default limits. */
export const limits: QueryLimits = { defaultLimit: 25, maxLimit: 100, withCount: true, populateLimit: 500 };

/** The content types of a folder, those of the corpus if none is given, linked with those of the plugins. */
export async function loadCorpus(
  folder = 'tests/fixtures/corpus/content-types',
  dialect: Dialect = sqlite,
): Promise<Registry> {
  const { contentTypes, components } = await load(folder);
  const own = [createUpload({}), createUsersPermissions({})].flatMap((plugin) => plugin.contentTypes ?? []);
  const { parameters = [] } = createI18n({});
  return link({ contentTypes: [...own, ...contentTypes], components, dialect }, { parameters });
}

/** The content type `api::<name>.<name>`. */
export function typeOf({ contentTypes }: Registry, name: string): ContentType {
  const type = contentTypes.get(`api::${name}.${name}`);
  if (type === undefined) throw new Error(`The corpus has no content type ${name}`);
  return type;
}

/** A request with a query string. */
export const asked = (queryString: string): Asked => ({ originalUrl: `/?${queryString}` });

/** The result of parsing a client's parameters. */
export const parse = (parameters: string | QueryInput, type: ContentType): Query =>
  parseQuery(typeof parameters === 'string' ? parseQueryString(parameters) : parameters, type, 'client', limits);

export const compile = (parameters: string | QueryInput, type: ContentType): ReadPlan =>
  compileQuery(parse(parameters, type));

/** One query string and the compiled plan. `rule` is the tested rule. */
export type GoldenRow<G> =
  | {
      readonly rule: string;
      readonly query: string;
      readonly expected: G;
      /** The reads of ids that come first, as `[collection, ...stages]`; none when left out. */
      readonly before?: readonly (readonly [string, ...Document[]])[];
    }
  | { readonly rule: string; readonly query: string; readonly refused: string };

export interface GoldenTable<G> {
  /** The singular name of the content type that is read. */
  readonly of: string;
  /** Parameters that every row has in addition to its own, to keep the expected stages short. */
  readonly also?: string;
  /** Impose the publication state, as a list over REST does. */
  readonly imposed?: true;
  /** Puts the expected part of a row between the stages that all rows share. */
  readonly frame: (expected: G) => readonly Document[];
}

/**
 * A table of query strings and the whole aggregation pipelines that they become, from the query string to the stages
 * that the database is sent. A semi-join's result is `{ $ids: n }`: what the read number n in `before` finds.
 */
export function golden<G>(
  title: string,
  { of, also, imposed, frame }: GoldenTable<G>,
  rows: readonly GoldenRow<G>[],
): void {
  const registry = loadCorpus();
  const compileRow = async ({ query }: GoldenRow<G>): Promise<ReadPlan> => {
    const parsed = parse(also === undefined ? query : `${query}&${also}`, typeOf(await registry, of));
    return compileQuery(imposed ? imposePublicationState(parsed, { action: 'find', caller: system }) : parsed);
  };

  describe(`A table of ${title}`, () => {
    const accepted = rows.filter((row) => 'expected' in row);
    const refused = rows.filter((row) => 'refused' in row);
    if (accepted.length > 0) {
      test.each(accepted.map(withTitle))('%s: %s', async (_rule, _query, row) => {
        const { before, main } = await compileRow(row);
        const reads = [...before.map(readBefore), pipelineOf(main)];
        const stages = [...(row.before ?? []), frame(row.expected)];
        expect(reads).toStrictEqual(stages);
        expect(ordersIn(reads)).toEqual(ordersIn(stages));
      });
    }
    if (refused.length > 0) {
      test.each(refused.map(withTitle))('%s: %s', async (_rule, _query, row) => {
        await expect(compileRow(row)).rejects.toThrow(new Error(row.refused));
      });
    }
  });
}

const withTitle = <R extends { readonly rule: string; readonly query: string }>(
  row: R,
): readonly [string, string, R] => [row.rule, shorten(row.query), row];

const readBefore = ({ collection, pipeline }: ReadPlan['before'][number]): readonly unknown[] => [
  collection,
  ...pipeline,
];
const shorten = (query: string): string => (query.length > 120 ? `${query.slice(0, 120)}…` : query);

/** The keys of all sorts, in their order: it counts there, but not for `toEqual`. */
function ordersIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]: readonly [string, unknown]) =>
    key === '$sort' || key === 'sortBy' ? [Object.keys(Object(part))] : ordersIn(part),
  );
}
