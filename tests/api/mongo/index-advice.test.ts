import { beforeAll, describe, expect, test } from '@jest/globals';
import { adviseSlowReads } from '../../../src/mongo/observe/advise-slow-reads.js';
import { openStore } from '../../../src/mongo/store.js';
import { parse, typeOf } from '../../support/golden.js';
import { useService } from '../../support/service.js';

const client = useService({ contentTypes: 'tests/fixtures/pages', environment: { NODE_ENV: 'development' } });

const ENTRIES = 40;

beforeAll(async () => {
  for (let rank = 0; rank < ENTRIES; rank++) await client.create('notes', { kind: 'memo', rank });
});

/** The plan that the database has chosen; with too few entries it could be any. */
const winningPlan = (value: object): object | undefined =>
  'winningPlan' in value
    ? (value.winningPlan as object)
    : Object.values(value).flatMap((part) => (typeof part === 'object' && part && winningPlan(part)) || [])[0];

describe('an index is advised for the sorts that the database does not read from one', () => {
  test.each([
    'sort=id',
    'sort=createdAt:desc',
    'sort=createdAt',
    'filters[kind]=memo&sort=rank:desc',
    'filters[kind]=memo&sort=rank',
    'filters[kind][$in][0]=memo&filters[kind][$in][1]=note&sort=rank:desc',
    'sort=kind',
    'sort=rank:desc',
  ])('%s', async (query) => {
    const { body } = await client.get(`/api/notes?${query}&pagination[limit]=2&explain=true`);
    const { advice, main } = body.explain;
    expect(advice !== undefined).toBe(JSON.stringify(winningPlan(main.plan)).includes('"stage":"SORT"'));
  });
});

test('a slow list without an index is logged once, also a failed one', async () => {
  const { database, registry } = client.service;
  const type = typeOf(registry, 'note');
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  const store = openStore(database.db, { timeout: 60_000, exclusive: false });
  const patient = adviseSlowReads(store, 60_000, warn);
  const advised = adviseSlowReads(store, 0, warn);
  await patient.find(parse('sort=rank', type));
  expect(warnings).toEqual([]);
  for (const query of ['sort=rank', 'sort=rank', 'sort=createdAt:desc']) await advised.find(parse(query, type));
  const signal = AbortSignal.abort();
  await expect(advised.find(parse('_q=memo', type), { signal })).rejects.toThrow('The query took too long');
  expect(warnings).toEqual([
    expect.stringMatching(/^A list of api::note\.note took \d+ ms\. The sort .* declare an index .*\{"rank":1\}\.$/),
    expect.stringMatching(/^A list of api::note\.note took \d+ ms\. The filter .* no index can serve it\.$/),
  ]);
});
