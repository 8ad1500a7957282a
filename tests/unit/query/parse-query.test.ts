import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Document } from 'mongodb';
import { codes } from '../../../src/errors/codes.js';
import { AppError } from '../../../src/errors/app-error.js';
import type { Attribute, ContentType, Registry } from '../../../src/content-types/types.js';
import { compileQuery, pipelineOf } from '../../../src/mongo/compile/compile-query.js';
import type { Query } from '../../../src/query/ast.js';
import { parsePagination } from '../../../src/query/parse-pagination.js';
import { loadCorpus, parse } from '../../support/golden.js';
import { checkPipeline, namesOf } from './pipeline-grammar.js';
import { hostileNames, randomQuery } from './random-query.js';

const RUNS = 20_000;
const corpus = loadCorpus();
/** The names of all stages, those within look-ups included. */
const stagesOf = (pipeline: readonly Document[]): readonly string[] =>
  pipeline.flatMap((stage) => [
    ...Object.keys(stage),
    ...stagesOf((stage['$lookup']?.['pipeline'] ?? []) as readonly Document[]),
  ]);

const isSecret = (attribute: Attribute): boolean =>
  attribute.private || (attribute.kind === 'scalar' && attribute.type === 'password');

/** A content type's uid and a query string for it. */
async function requests(): Promise<fc.Arbitrary<{ readonly uid: string; readonly query: string }>> {
  const { contentTypes } = await corpus;
  const tape = fc.array(fc.nat(0xff_ff), { minLength: 60, maxLength: 60, size: 'max' });
  return fc
    .tuple(tape, fc.constantFrom(...contentTypes.values()))
    .map(([numbers, type]) => ({ uid: type.uid, query: randomQuery(numbers, type) }));
}

/** Every attribute that a query names: in filters, sorts, fields and populated ones, at all levels. */
function attributesIn(value: unknown, found = new Set<Attribute>()): ReadonlySet<Attribute> {
  if (value instanceof Map) for (const one of value.values()) attributesIn(one, found);
  else if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    if (isAttribute(value)) found.add(value);
    else for (const one of Object.values(value)) attributesIn(one, found);
  }
  return found;
}
const isAttribute = (value: object): value is Attribute => 'pluginOptions' in value && 'writable' in value;

/** A query, or the error that it was refused with. */
function outcomeOf({ contentTypes }: Registry, uid: string, query: string): Query | AppError {
  try {
    return parse(query, contentTypes.get(uid) as ContentType);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

describe('any query string', () => {
  test('is refused with a 4xx error, or becomes a pipeline of known operators and names', async () => {
    const registry = await corpus;
    const names = namesOf(registry);
    const seen = { refused: 0, compiled: 0, stages: new Set<string>() };
    fc.assert(
      fc.property(await requests(), ({ uid, query }) => {
        const outcome = outcomeOf(registry, uid, query);
        if (outcome instanceof AppError) {
          seen.refused += 1;
          expect(Math.trunc(codes[outcome.code].status / 100)).toBe(4);
          return;
        }
        const { before, main, count } = compileQuery(outcome);
        const pipelines = [...before.map(({ pipeline }) => pipeline), pipelineOf(main), [{ $match: count.filter }]];
        for (const pipeline of pipelines) {
          checkPipeline(pipeline, names);
          for (const name of stagesOf(pipeline)) seen.stages.add(name);
        }
        seen.compiled += 1;
      }),
      { numRuns: RUNS },
    );
    // Otherwise the queries are not what they are meant to be.
    expect(seen.refused).toBeGreaterThan(RUNS / 10);
    expect(seen.compiled).toBeGreaterThan(RUNS / 4);
    expect([...seen.stages].toSorted()).toEqual([
      '$group',
      '$limit',
      '$lookup',
      '$match',
      '$project',
      '$set',
      '$setWindowFields',
      '$skip',
      '$sort',
      '$unset',
      '$unwind',
    ]);
  });

  test('never leads a client to a private attribute or a password', async () => {
    const registry = await corpus;
    const kinds = new Set<string>();
    fc.assert(
      fc.property(await requests(), ({ uid, query }) => {
        const outcome = outcomeOf(registry, uid, query);
        if (outcome instanceof AppError) return;
        const named = [...attributesIn({ ...outcome, type: undefined })];
        for (const { kind } of named) kinds.add(kind);
        expect(named.filter(isSecret).map(({ name }) => name)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
    expect([...kinds].toSorted()).toEqual(['component', 'morph', 'morphed', 'relation', 'scalar', 'zone']);
  });

  test('leaves Object.prototype as it is', async () => {
    const registry = await corpus;
    const before = Object.getOwnPropertyNames(Object.prototype);
    for (const name of hostileNames) {
      const query = `filters[${name}][polluted]=1&populate[${name}][populate][polluted]=1&${name}[polluted]=1`;
      outcomeOf(registry, 'api::article.article', query);
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

test.each<Document>([
  { $match: { $where: 'true' } },
  { $match: { title: { $function: { body: '' } } } },
  { $match: { 'title.$gt': { $eq: 1 } } },
  { $match: { nope: { $eq: 1 } } },
  { $match: { title: { $eq: { $gt: '' } } } },
  { $sort: { $natural: 1 } },
  { $project: { title: '$$ROOT.$where' } },
  { $set: { title: { $eq: ['a word of a client', 'b'] } } },
  { $lookup: { from: 'system.users', as: 'r0' } },
  { $out: 'articles' },
])('the grammar of pipelines refuses %j', async (stage) => {
  const names = namesOf(await corpus);
  expect(() => checkPipeline([stage], names)).toThrow('A pipeline has no such');
});

test('a slice is always within the limits', () => {
  const number = fc.oneof(
    fc.constantFrom(
      '',
      '-1',
      '0',
      '1',
      '-0',
      '1.5',
      '1e3',
      '1e400',
      'NaN',
      '0x10',
      ' 7 ',
      'abc',
      '9007199254740991',
      '99999999999999999999',
    ),
    fc.integer().map(String),
    fc.double().map(String),
    fc.string(),
  );
  const value = fc.oneof(
    { weight: 5, arbitrary: number },
    fc.array(number, { maxLength: 2 }),
    fc.constant({ x: '1' }),
    fc.constant(null),
  );
  const part = fc.constantFrom('page', 'pageSize', 'start', 'limit');
  const pagination = fc.oneof(
    { weight: 5, arbitrary: fc.dictionary(part, value, { maxKeys: 3 }) },
    fc.string(),
    fc.array(number),
  );
  const limits = fc.tuple(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 500 })).map(([one, other]) => ({
    defaultLimit: Math.min(one, other),
    maxLimit: Math.max(one, other),
    withCount: true,
  }));
  fc.assert(
    fc.property(pagination, limits, (input, given) => {
      let slice;
      try {
        slice = parsePagination({ pagination: input }, given);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
        return;
      }
      expect(Number.isInteger(slice.limit) && slice.limit >= 1 && slice.limit <= given.maxLimit).toBe(true);
      expect(Number.isInteger(slice.start) && slice.start >= 0 && !Object.is(slice.start, -0)).toBe(true);
    }),
    { numRuns: RUNS },
  );
});
