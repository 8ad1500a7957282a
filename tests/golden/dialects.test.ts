import { describe, expect, test } from '@jest/globals';
import { MaxKey, type Document } from 'mongodb';
import { dialectOf, type Dialect } from '../../src/content-types/model/dialects.js';
import { pipelineOf } from '../../src/mongo/compile/read/compile-query.js';
import { partsOf } from '../../src/mongo/read/execute-read.js';
import { compile, loadCorpus, typeOf } from '../support/golden.js';

const postgres = dialectOf('postgres');
const mysql = dialectOf('mysql');
const like = dialectOf('sqlite', 'like');

/** The stages that filter and sort, of each part of the page. */
async function partsIn(query: string, dialect: Dialect, name = 'product'): Promise<readonly (readonly Document[])[]> {
  const registry = await loadCorpus(undefined, dialect);
  const { main } = compile(query, typeOf(registry, name));
  const isOrder = (stage: Document): boolean => '$match' in stage || '$set' in stage || '$sort' in stage;
  return partsOf(main).map((part) => pipelineOf(part).filter(isOrder));
}

const cursor = (...parts: readonly unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');
const after = (...parts: readonly unknown[]): string =>
  `sort=${String(parts[0])}&pagination[pageSize]=10&pagination[after]=${cursor(...parts)}`;

describe('PostgreSQL has missing values last', () => {
  const [present, absent] = [{ price: { $ne: null } }, { price: { $eq: null } }];
  const ascending = { $sort: { price: 1, _id: 1 } };
  const descending = { $sort: { price: -1, _id: 1 } };

  test.each([
    [
      'they are a part of their own',
      'sort=price',
      [
        [{ $match: present }, ascending],
        [{ $match: absent }, ascending],
      ],
    ],
    [
      'descending, the first one',
      'sort=price:desc',
      [
        [{ $match: absent }, descending],
        [{ $match: present }, descending],
      ],
    ],
    ['an id is never missing', 'sort=id', [[{ $sort: { _id: 1 } }]]],
    ['nor the time of an update', 'sort=updatedAt:desc', [[{ $sort: { updatedAt: -1, _id: 1 } }]]],
    [
      'after a value, the rest of the values and all others',
      after('price', 5, 7),
      [
        [{ $match: { $or: [{ price: { $gt: 5 } }, { price: { $eq: 5 }, _id: { $gt: 7 } }] } }, ascending],
        [{ $match: absent }, ascending],
      ],
    ],
    [
      'after a missing one, the rest of them',
      after('price', null, 7),
      [[{ $match: { price: { $eq: null }, _id: { $gt: 7 } } }, ascending]],
    ],
    [
      'descending, after a value, the rest of the values',
      after('price:desc', 5, 7),
      [[{ $match: { $or: [{ price: { $lt: 5 } }, { price: { $eq: 5 }, _id: { $gt: 7 } }] } }, descending]],
    ],
    [
      'descending, after a missing one, the rest of them and all values',
      after('price:desc', null, 7),
      [
        [{ $match: { price: { $eq: null }, _id: { $gt: 7 } } }, descending],
        [{ $match: present }, descending],
      ],
    ],
    [
      'of several keys they are written as the highest value',
      'sort=price,stock:desc',
      [
        [
          { $set: { _k0: { $ifNull: ['$price', new MaxKey()] }, _k1: { $ifNull: ['$stock', new MaxKey()] } } },
          { $sort: { _k0: 1, _k1: -1, _id: 1 } },
        ],
      ],
    ],
    [
      'after a cursor with several keys',
      after('price,stock:desc', null, 3, 7),
      [
        [
          { $set: { _k0: { $ifNull: ['$price', new MaxKey()] }, _k1: { $ifNull: ['$stock', new MaxKey()] } } },
          {
            $match: {
              $or: [
                { _k0: { $eq: new MaxKey() }, _k1: { $lt: 3 } },
                { _k0: { $eq: new MaxKey() }, _k1: { $eq: 3 }, _id: { $gt: 7 } },
              ],
            },
          },
          { $sort: { _k0: 1, _k1: -1, _id: 1 } },
        ],
      ],
    ],
  ] as const)('%s: %s', async (_rule, query, parts) => {
    expect(await partsIn(query, postgres)).toStrictEqual(parts);
  });

  test('through a relation they are the highest value of its table', async () => {
    const { main } = compile('sort=vendor.name', typeOf(await loadCorpus(undefined, postgres), 'product'));
    expect(main.order[0]?.['$set']).toEqual({ _k0: { $ifNull: [expect.anything(), new MaxKey()] } });
  });
});

describe('a pattern ignores what the texts of the database ignore', () => {
  const filterOf = async (query: string, dialect: Dialect): Promise<Document> => {
    const [[stage = {}] = []] = await partsIn(query, dialect);
    return (stage['$match'] as { name: Document }).name;
  };
  const matches = ({ $regex, $options }: Document, text: string): boolean =>
    new RegExp(String($regex).replace(String.raw`\z`, '$'), `u${$options ?? ''}`).test(text);

  test.each([
    ['filters[name][$contains]=ä', mysql, ['Lamp', 'LÄMP', 'Ǻ'], ['Lomp']],
    ['filters[name][$contains]=ss', mysql, ['ŚŠ'], ['ß']],
    ['filters[name][$containsi]=É', mysql, ['e', 'Ế'], ['o']],
    ['filters[name][$contains]=прив', mysql, ['ПРИВЕТ'], ['приж']],
    ['filters[name][$eqi]=ÄPFEL', mysql, ['Apfel'], ['Apfelmus']],
    ['filters[name][$contains]=k\\s\\', postgres, ['ks\\'], ['k\\s\\', 'ks']],
    ['filters[name][$endsWith]=k\\s', mysql, ['ks'], ['k\\s']],
    ['filters[name][$contains]=k\\s', like, ['k\\s'], ['ks']],
    ['filters[name][$contains]=App', postgres, ['Apple'], ['apple']],
    ['filters[name][$containsi]=ÄP', postgres, ['äpfel'], ['apfel']],
    ['filters[name][$contains]=app', like, ['APPLE'], ['ÄPPLE']],
    ['filters[name][$contains]=ä', like, ['ä'], ['Ä']],
    ['filters[name][$containsi]=ä', like, ['Ä'], ['a']],
  ] as const)('%s', async (query, dialect, found, missed) => {
    const filter = await filterOf(query, dialect);
    expect([...found, ...missed].filter((text) => matches(filter, text))).toEqual(found);
  });

  test('a start is a range of an index with the collation', async () => {
    const range = { $gte: 'Ap', $lt: 'Ap\uFFFF' };
    expect(await filterOf('filters[name][$startsWith]=Ap', postgres)).toEqual({ $regex: '^Ap', ...range });
    expect(await filterOf('filters[name][$startsWithi]=Ap', postgres)).toEqual({ $regex: '^Ap', $options: 'i' });
    expect(await filterOf('filters[name][$startsWith]=Ap', mysql)).toMatchObject(range);
    expect(await filterOf('filters[name][$startsWithi]=Ap', mysql)).toMatchObject(range);
    expect(await filterOf(String.raw`filters[name][$eqi]=A\p`, mysql)).toMatchObject({ $eq: 'Ap', $options: 'i' });
    expect(await filterOf('filters[name][$eqi]=Ap', postgres)).toEqual({ $regex: String.raw`^Ap\z`, $options: 'i' });
    // In Czech, "ch" comes after "h": after all other texts that begin with "c".
    expect(await filterOf('filters[name][$startsWith]=c', dialectOf('postgres', 'cs_CZ'))).toEqual({ $regex: '^c' });
  });

  test('one that grows too long for the database is refused', async () => {
    await expect(partsIn(`filters[name][$contains]=${'a'.repeat(1000)}`, mysql)).rejects.toMatchObject({
      code: 'tooCostly',
    });
    await expect(partsIn(`filters[name][$contains]=${'a'.repeat(1000)}`, postgres)).resolves.toHaveLength(1);
  });
});

describe('values that are no texts are searched as the database writes them', () => {
  const inputOf = async (filter: string, dialect: Dialect): Promise<string> =>
    JSON.stringify(await partsIn(`filters[${filter}][$containsi]=1`, dialect));

  test.each([
    ['available', postgres, '"$toString":"$available"'],
    ['available', mysql, '"$toString":{"$toInt":"$available"}'],
    ['restockAt', postgres, '"$rtrim"'],
    ['restockAt', mysql, '%Y-%m-%d %H:%M:%S.%L000'],
    ['price', postgres, '"$round"'],
    ['cost', postgres, '"$trunc":"$cost"'],
  ] as const)('%s', async (field, dialect, expected) => {
    expect(await inputOf(field, dialect)).toContain(expected);
  });
});
