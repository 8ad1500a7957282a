import { describe, expect, test } from '@jest/globals';
import fc from '../../support/fast-check.js';
import type { ContentType } from '../../../src/content-types/model/types.js';
import { compileFilter } from '../../../src/mongo/compile/filter/filter.js';
import type { Filter } from '../../../src/query/ast.js';
import { AppError } from '../../../src/errors/app-error.js';
import { convertParams } from '../../../src/strapi/entity-service/convert-params.js';
import { parseDatabaseQuery, parseOrder } from '../../../src/strapi/query-engine/parse-database-query.js';
import { processData } from '../../../src/strapi/query-engine/writes.js';
import type { Named } from '../../../src/strapi/strapi.js';
import { loadCorpus } from '../../support/golden.js';
import { scaled } from '../../support/scaled.js';

const corpus = loadCorpus();
const article = corpus.then(({ contentTypes }) => contentTypes.get('api::article.article') as ContentType);

describe('where', () => {
  test.each<readonly [unknown, object]>([
    [{ id: 3 }, { kind: 'comparison', operator: '$eq', operands: [3] }],
    [{ title: { $in: ['a', 'b'] } }, { kind: 'comparison', operator: '$in', operands: ['a', 'b'] }],
    [{ $or: [{ id: 1 }, { id: 2 }] }, { kind: 'or' }],
    [{ $not: { id: 1 } }, { kind: 'not' }],
    [[{ id: 1 }, { title: 'a' }], { kind: 'and' }],
    [{ author: { name: 'a' } }, { kind: 'related' }],
  ])('%j', async (where, filter) => {
    expect(parseDatabaseQuery(await article, { where }).query.filter).toMatchObject(filter);
  });

  test.each<readonly [unknown, unknown]>([
    [{ published_at: { $notNull: true } }, { publishedAt: { $notNull: true } }],
    [
      { $or: [{ $not: { created_at: { $gt: '2024-01-01' } } }] },
      { $or: [{ $not: { createdAt: { $gt: '2024-01-01' } } }] },
    ],
    [[{ author: { created_at: null } }], [{ author: { createdAt: null } }]],
    [
      { publish_on: '2024-01-01', publishOn: { $notNull: true } },
      { $and: [{ publishOn: { $notNull: true } }, { publishOn: '2024-01-01' }] },
    ],
  ])('names of columns mean attributes: %j', async (where, named) => {
    const type = await article;
    const filterOf = (input: unknown): unknown => parseDatabaseQuery(type, { where: input }).query.filter;
    expect(filterOf(where)).toEqual(filterOf(named));
  });

  test('a column in select or fields means its attribute, and one in orderBy is refused', async () => {
    const type = await article;
    const select = ['title', 'published_at', 'publishedAt'];
    const fieldsOf = (params: Named): readonly string[] =>
      parseDatabaseQuery(type, params).query.fields.map(({ name }) => name);
    expect(fieldsOf({ select })).toEqual(['title', 'publishedAt']);
    expect(fieldsOf(convertParams({ fields: ['title', 'published_at'] }, type))).toEqual(['title', 'publishedAt']);
    const populate = { author: { fields: ['created_at'] } };
    const [node] = parseDatabaseQuery(type, convertParams({ populate }, type)).query.populate;
    expect(node).toMatchObject({ query: { fields: [{ name: 'createdAt' }] } });
    expect(() => parseDatabaseQuery(type, { select: ['publishedat'] })).toThrow('unknown attribute "publishedat"');
    expect(() => parseDatabaseQuery(type, { orderBy: 'created_at' })).toThrow('unknown attribute "created_at"');
  });

  test.each<readonly [unknown, string | RegExp]>([
    [{ nope: 1 }, 'unknown attribute "nope"'],
    [{ title: { $nope: 1 } }, 'Undefined attribute level operator $nope'],
    [{ $eq: 1 }, '$eq must be below an attribute'],
    [{ $or: { id: 1 } }, 'Operator $or must be an array'],
    ['title', 'Where must be an array or an object'],
    [{ author: { $eq: 1, name: 'a' } }, 'cannot be mixed'],
    [{ author: { nope: 1 } }, 'unknown attribute "nope"'],
    [{ id: undefined }, 'An id is compared with undefined'],
    [{ id: { $in: [1, undefined] } }, 'An id is compared with undefined'],
    [{ author: undefined }, 'An id is compared with undefined'],
    [{ author: { $eq: undefined } }, 'An id is compared with undefined'],
    [{ views: { $gt: undefined } }, 'views: undefined is not of type integer'],
    [{ publishOn: undefined }, 'nvalid'],
  ])('%j is refused', async (where, message) => {
    const type = await article;
    expect(() => parseDatabaseQuery(type, { where })).toThrow(message);
  });

  test.each<readonly [unknown, object]>([
    [{ $notIn: [] }, { $or: [{ rating: { $ne: null } }, { rating: { $eq: null } }] }],
    [{ $not: { $in: [] } }, { $or: [{ rating: { $ne: null } }, { rating: { $eq: null } }] }],
    [{ $not: { $notIn: [] } }, { $and: [{ rating: { $eq: null } }, { rating: { $ne: null } }] }],
    [[], { $and: [{ rating: { $eq: null } }, { rating: { $ne: null } }] }],
  ])('everything is outside of an empty list, also null: %j', async (rating, expected) => {
    const filter = parseDatabaseQuery(await article, { where: { rating } }).query.filter as Filter;
    expect(compileFilter(filter, [])).toEqual(expected);
  });

  test('objects without a prototype are refused, or read as conditions', async () => {
    const type = await article;
    const values = [Object.create(null), Object.assign(Object.create(null), { x: 1 })] as unknown[];
    const operands = values.flatMap((value) => [value, [value], [[value]], { title: [[value]] }]);
    const operators = ['$eq', '$in', '$notIn', '$between', '$contains', '$startsWith', '$null', '$not'];
    const wheres = ['id', 'title', 'author', 'views', 'publishOn'].flatMap((name) =>
      operands.flatMap((operand) => [{ [name]: operand }, ...operators.map((key) => ({ [name]: { [key]: operand } }))]),
    );
    const params = [
      ...wheres.map((where) => ({ where })),
      ...operands.flatMap((operand) =>
        ['select', 'limit', 'offset', '_q', 'orderBy'].map((key) => ({ [key]: operand })),
      ),
    ];
    const outcome = (one: Named): unknown => {
      try {
        return parseDatabaseQuery(type, one);
      } catch (error) {
        return error;
      }
    };
    expect(params.map(outcome).filter((error) => error instanceof TypeError)).toEqual([]);
    expect(outcome({ where: { title: { $in: [[values[0]]] } } })).toMatchObject({
      message: 'A value must be a string, a number, a boolean or a date, not an object',
    });
  });

  test('filters from a function apply to every level', async () => {
    const levels: string[] = [];
    const filters = ({ meta }: { readonly meta: { readonly attributes: object } }): unknown => {
      levels.push(Object.hasOwn(meta.attributes, 'title') ? 'article' : 'other');
      return undefined;
    };
    parseDatabaseQuery(await article, { filters, populate: { author: true } });
    expect(levels).toEqual(['article', 'other']);
  });
});

describe('orderBy', () => {
  test.each<readonly [unknown, readonly string[]]>([
    ['title', ['title ascending']],
    [
      ['title', { id: 'DESC' }],
      ['title ascending', 'id descending'],
    ],
    [{ author: { name: 'desc' } }, ['author.name descending']],
    [{ title: 'sideways' }, ['title ascending']],
  ])('%j', async (orderBy, keys) => {
    const { attributes } = await article;
    const parsed = parseOrder(orderBy, attributes).map(
      ({ through, field, direction }) => `${[...through, field].map(({ name }) => name).join('.')} ${direction}`,
    );
    expect(parsed).toEqual(keys);
  });

  test.each([['nope'], [{ author: 'asc' }], [3], [{ author: { nope: 'asc' } }]])('%j is refused', async (orderBy) => {
    const { attributes } = await article;
    expect(() => parseOrder(orderBy, attributes)).toThrow(/unknown attribute|You cannot order on|Invalid orderBy/);
  });
});

describe('populate', () => {
  const keysOf = async (params: Named): Promise<readonly string[]> =>
    parseDatabaseQuery(await article, params).query.populate.map(({ key }) => key);

  test('accepts names, paths, objects and true, and ignores attributes that are not relations', async () => {
    expect(await keysOf({ populate: ['author', 'title', 'nope'] })).toEqual(['author']);
    expect(await keysOf({ populate: { author: { select: ['name'] }, nope: true } })).toEqual(['author']);
    expect(await keysOf({ populate: true })).toContain('author');
    expect(await keysOf({ populate: null })).toEqual([]);
    const [node] = parseDatabaseQuery(await article, { populate: ['author.articles'] }).query.populate;
    expect(node).toMatchObject({ query: { populate: [{ key: 'articles' }] } });
  });

  test('limit, offset and orderBy apply per parent', async () => {
    const populate = { tags: { limit: 2, offset: 1, orderBy: { name: 'desc' } } };
    expect(parseDatabaseQuery(await article, { populate }).query.populate).toMatchObject([
      { key: 'tags', query: { start: 1, limit: 2, sort: [{ direction: 'descending' }] } },
    ]);
  });

  test.each([[5], ['author']])('%j is refused', async (populate) => {
    const type = await article;
    expect(() => parseDatabaseQuery(type, { populate })).toThrow('Populate must be an object');
  });

  test('ids are returned if they are selected or something is populated', async () => {
    const type = await article;
    expect(parseDatabaseQuery(type, { select: ['title'] }).presented.id).toBe(false);
    expect(parseDatabaseQuery(type, { select: ['title'], populate: ['author'] }).presented.id).toBe(true);
    expect(parseDatabaseQuery(type, {}).presented.id).toBe(true);
    expect(() => parseDatabaseQuery(type, { select: ['nope'] })).toThrow('unknown attribute "nope" in select');
  });
});

describe('the parameters of the entity service', () => {
  test.each<readonly [Named, Named]>([
    [{ sort: 'title:desc,id' }, { orderBy: [{ title: 'desc' }, { id: 'asc' }] }],
    [{ sort: ['author.name'] }, { orderBy: [{ author: { name: 'asc' } }] }],
    [{ sort: { title: 'DESC' } }, { orderBy: { title: 'DESC' } }],
    [{ sort: '' }, { orderBy: [{}] }],
    [{ fields: 'title, body' }, { select: ['id', 'title', 'body'] }],
    [{ fields: '*' }, {}],
    [{ populate: '*' }, { populate: true }],
    [{ populate: 'author,tags' }, { populate: ['author', 'tags'] }],
    [
      { populate: { author: { fields: ['name'] }, title: true, nope: true } },
      { populate: { author: { select: ['id', 'name'] } } },
    ],
    [{ filters: { title: { $eq: 'a' }, nope: 1, author: { nope: 1 } } }, { where: { title: { $eq: 'a' } } }],
    [{ filters: { title: { $null: 'true' } } }, { where: { title: { $null: true } } }],
    [{ filters: { title: { $null: 'f' } } }, { where: { title: { $null: false } } }],
    [{ filters: { title: { $notNull: 'no' } } }, { where: { title: { $notNull: true } } }],
    [
      { filters: { title: undefined, secret: undefined, author: { id: undefined } } },
      { where: { title: undefined, author: { id: undefined } } },
    ],
    [{ start: '2', limit: -1 }, { offset: 2 }],
    [
      { page: '2', pageSize: 5 },
      { page: 2, pageSize: 5 },
    ],
  ])('%j', async (params, converted) => {
    expect(convertParams(params, await article)).toStrictEqual(converted);
  });

  test.each<readonly [Named]>([
    [{ sort: 'title:up' }],
    [{ sort: 3 }],
    [{ fields: 3 }],
    [{ populate: 3 }],
    [{ populate: { author: 3 } }],
    [{ start: -1 }],
    [{ limit: 'x' }],
    [{ page: 0 }],
    [{ page: 1, limit: 2 }],
    [{ start: 0, pageSize: 2 }],
    [{ publicationState: 'soon' }],
  ])('%j is refused', async (params) => {
    const type = await article;
    expect(() => convertParams(params, type)).toThrow(/nvalid|empty|xpected/);
  });
});

test('numbers of written data are cast as in Strapi v4: blanks are 0', async () => {
  const type = await article;
  expect(processData({ views: '', rating: '1.5', score: [], bignum: '7', title: 5 }, type)).toEqual({
    views: 0,
    rating: 1.5,
    score: 0,
    bignum: '7',
    title: '5',
  });
  expect(() => processData({ views: 'many' }, type)).toThrow('views: many is not of type integer');
});

test.each([
  [{ set: 1 }, { set: [1] }],
  [
    { connect: { id: 1 }, disconnect: '2' },
    { connect: [{ id: 1 }], disconnect: ['2'] },
  ],
  [
    { set: null, connect: [null, 1] },
    { set: null, connect: [1] },
  ],
  [[null, 1], [1]],
  [1, 1],
  [null, null],
])('a written relation takes one entry for a list, and leaves out null: %j', async (written, related) => {
  expect(processData({ author: written, tags: written }, await article)).toEqual({ author: related, tags: related });
});

const names = ['id', 'title', 'author', 'tags', 'name', 'nope', '__proto__', 'constructor', '$and', '$or', '$not', '$eq', '$in', 'on', 'select', 'where', 'populate', 'orderBy', 'limit']; // prettier-ignore
const anything = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', maxDepth: 5 },
    fc.constantFrom<unknown>(null, undefined, true, 'asc', 'title', '*', '', 3, -1, 1.5, Number.NaN, new Date(0)),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...names), tie('tree')), { maxLength: 4 })
      .map((pairs) => Object.fromEntries(pairs) as unknown),
  ),
})).tree;

test('random parameters are parsed or refused with a message', async () => {
  const type = await article;
  const parsed = { queries: 0, params: 0 };
  fc.assert(
    fc.property(anything, anything, anything, (where, populate, orderBy) => {
      for (const [kind, parse] of [
        ['queries', () => parseDatabaseQuery(type, { where, populate, orderBy })],
        ['params', () => parseDatabaseQuery(type, convertParams({ filters: where, populate, sort: orderBy }, type))],
      ] as const) {
        try {
          parse();
          parsed[kind] += 1;
        } catch (error) {
          if (!(error instanceof AppError))
            expect(error).toMatchObject({ name: 'Error', message: expect.stringMatching(/./) });
        }
      }
    }),
    { numRuns: scaled(750, 20_000) },
  );
  expect(parsed.queries).toBeGreaterThan(scaled(18, 500));
  expect(parsed.params).toBeGreaterThan(scaled(18, 500));
  expect(({} as Named)['polluted']).toBeUndefined();
});
