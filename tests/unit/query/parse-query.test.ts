import { describe, expect, test } from '@jest/globals';
import fc from '../../support/fast-check.js';
import type { Document } from 'mongodb';
import { answerOf } from '../../../src/errors/codes.js';
import { AppError } from '../../../src/errors/app-error.js';
import type { Attribute, ContentType, Registry } from '../../../src/content-types/model/types.js';
import { compileQuery, pipelineOf } from '../../../src/mongo/compile/read/compile-query.js';
import type { ReadPlan } from '../../../src/mongo/compile/plan.js';
import { parseFilters } from '../../../src/query/parse/parse-filters.js';
import { parsePagination } from '../../../src/query/parse/parse-pagination.js';
import { dependenciesOf } from '../../../src/query/dependencies.js';
import { compile, loadCorpus, parse } from '../../support/golden.js';
import { checkPipeline, namesOf } from './pipeline-grammar.js';
import { hostileNames, randomQuery } from './random-query.js';
import { scaled } from '../../support/scaled.js';

const RUNS = scaled(1000, 20_000);
/** Of the property that counts most. */
const MANY_RUNS = scaled(4000, 100_000);
const corpus = loadCorpus();
const pipelinesOf = ({ before, main, count }: ReadPlan): readonly (readonly Document[])[] => [
  ...before.map(({ pipeline }) => pipeline),
  pipelineOf(main),
  [{ $match: count.filter }],
];

/** The compiler's stages and operators; the random queries reach all of them. */
const allStages = ['$group', '$limit', '$lookup', '$match', '$project', '$replaceRoot', '$set', '$skip', '$sort', '$unset', '$unwind']; // prettier-ignore

/** The names of all stages, those within look-ups included. */
const stagesOf = (pipeline: readonly Document[]): readonly string[] =>
  pipeline.flatMap((stage) => [...Object.keys(stage), ...stagesOf(innerPipeline(stage))]);

/** Every collection that a plan reads. */
const collectionsIn = (plan: ReadPlan): readonly string[] => [
  plan.main.collection,
  ...plan.before.map(({ collection }) => collection),
  ...pipelinesOf(plan).flatMap(lookedUpIn),
];

const lookedUpIn = (pipeline: readonly Document[]): readonly string[] =>
  pipeline.flatMap((stage) => [...('$lookup' in stage ? [String(stage['$lookup'].from)] : []), ...lookedUpIn(innerPipeline(stage))]); // prettier-ignore

const innerPipeline = ({ $lookup }: Document): readonly Document[] => $lookup?.pipeline ?? [];

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
const typeAt = ({ contentTypes }: Registry, uid: string): ContentType => {
  const type = contentTypes.get(uid);
  if (type === undefined) throw new Error(`${uid} is no content type`);
  return type;
};

const isAttribute = (value: object): value is Attribute => 'pluginOptions' in value && 'writable' in value;

/** The result of `work`, or its AppError; other errors are thrown. */
function outcomeOf<T>(work: () => T): T | AppError {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

const statusOf = (outcome: ReadPlan | AppError): number =>
  outcome instanceof AppError ? answerOf(outcome.code).status : 200;

describe('any query string', () => {
  test('is refused with a 4xx error, or becomes a pipeline of known operators and names', async () => {
    const registry = await corpus;
    const names = namesOf(registry);
    const seen = { statuses: new Map<number, number>(), stages: new Set<string>() };
    const readings = await requests();
    fc.assert(
      fc.property(readings, ({ uid, query }) => {
        const outcome = outcomeOf(() => compile(query, typeAt(registry, uid)));
        const status = statusOf(outcome);
        seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
        for (const pipeline of outcome instanceof AppError ? [] : pipelinesOf(outcome)) {
          checkPipeline(pipeline, names);
          for (const name of stagesOf(pipeline)) seen.stages.add(name);
        }
      }),
      { numRuns: MANY_RUNS },
    );
    expect(new Set(seen.statuses.keys())).toEqual(new Set([200, 400]));
    // Otherwise the queries would not test the rule.
    expect(Math.min(...seen.statuses.values())).toBeGreaterThan(MANY_RUNS / 4);
    expect([...seen.stages].toSorted()).toEqual(allStages);
  });

  test('reads only the collections of its declared types', async () => {
    const registry = await corpus;
    let compiled = 0;
    fc.assert(
      fc.property(await requests(), ({ uid, query }) => {
        const parsed = outcomeOf(() => parse(query, typeAt(registry, uid)));
        if (parsed instanceof AppError) return;
        const plan = outcomeOf(() => compileQuery(parsed));
        if (plan instanceof AppError) return;
        compiled += 1;
        const reported = new Set(
          [...dependenciesOf(parsed).keys()].map((type) => typeAt(registry, type).collectionName),
        );
        for (const name of collectionsIn(plan)) expect({ query, read: name, reported: reported.has(name) }).toMatchObject({ reported: true }); // prettier-ignore
      }),
      { numRuns: MANY_RUNS },
    );
    expect(compiled).toBeGreaterThan(MANY_RUNS / 4);
  });

  test('never gives a client access to private attributes or passwords', async () => {
    const registry = await corpus;
    const kinds = new Set<string>();
    const readings = await requests();
    fc.assert(
      fc.property(readings, ({ uid, query }) => {
        const outcome = outcomeOf(() => parse(query, typeAt(registry, uid)));
        const named = outcome instanceof AppError ? [] : [...attributesIn({ ...outcome, type: undefined })];
        for (const { kind } of named) kinds.add(kind);
        expect(named.filter(isSecret).map(({ name }) => name)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
    expect([...kinds].toSorted()).toEqual(['component', 'morph', 'morphed', 'relation', 'scalar', 'zone']);
  });

  test('does not change Object.prototype', async () => {
    const registry = await corpus;
    const before = Object.getOwnPropertyNames(Object.prototype);
    for (const name of hostileNames) {
      const query = `filters[${name}][polluted]=1&populate[${name}][populate][polluted]=1&${name}[polluted]=1`;
      outcomeOf(() => compile(query, typeAt(registry, 'api::article.article')));
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

test.each([
  ['values in a list', { id: { $in: Array.from({ length: 1001 }, (_none, index) => index) } }],
  ['conditions', { $or: Array.from({ length: 1001 }, (_none, index) => ({ title: { $contains: `${index}` } })) }],
])('a filter of a client has a limited number of values: %s', async (_name, filters) => {
  const { attributes } = typeAt(await corpus, 'api::article.article');
  expect(() => parseFilters(filters, attributes, 'client')).toThrow('at most 1000 values in a filter');
  expect(parseFilters(filters, attributes, 'internal')).toBeDefined();
});

test('pagination is always within the limits', () => {
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
  const part = fc.constantFrom('page', 'pageSize', 'start', 'limit', 'after');
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
  let parsed = 0;
  fc.assert(
    fc.property(pagination, limits, (input, bounds) => {
      const slice = outcomeOf(() => parsePagination({ pagination: input }, bounds, []));
      if (slice instanceof AppError) return;
      parsed += 1;
      expect(Number.isInteger(slice.limit) && slice.limit >= 1 && slice.limit <= bounds.maxLimit).toBe(true);
      expect(Number.isInteger(slice.start) && slice.start >= 0 && !Object.is(slice.start, -0)).toBe(true);
    }),
    { numRuns: RUNS },
  );
  expect(parsed).toBeGreaterThan(RUNS / 10);
});
