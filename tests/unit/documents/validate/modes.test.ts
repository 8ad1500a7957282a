import { describe, expect, test } from '@jest/globals';
import { validated, wrongIn } from './validator.js';

describe('an update', () => {
  test.each([
    ['nothing at all', {}],
    ['some attributes', { price: 3 }],
    ['a component without all that a new one needs', { dimensions: { height: 2 } }],
    ['null where it is allowed', { price: null, size: null, dimensions: null, support: null }],
  ])('accepts %s', async (_, data) => {
    expect(await wrongIn('update', 'product', data)).toEqual([]);
  });

  test('is validated in its values', async () => {
    expect(await wrongIn('update', 'product', { sku: null, size: 'y', dimensions: { height: -2 } })).toEqual([
      ['sku', 'sku must be a `string` type, but the final value was: `null`.'],
      ['size', 'size must be one of the following values: S, M, L, XL, '],
      ['dimensions.height', 'dimensions.height must be greater than or equal to 0'],
    ]);
  });
});

describe('a draft', () => {
  test.each([
    ['nothing at all', {}],
    ['null for required strings', { title: null }],
    ['strings that are too short', { summary: 'a' }],
    ['components without required strings', { seo: {}, links: [{}], blocks: [{ __component: 'blocks.text' }] }],
  ])('accepts %s', async (_, data) => {
    expect(await wrongIn('draft', 'article', data)).toEqual([]);
  });

  test.each([
    [{ rating: 99 }, [['rating', 'rating must be less than or equal to 5']]],
    [{ title: 'x'.repeat(121) }, [['title', 'title must be at most 120 characters']]],
    [{ kind: 'x' }, [['kind', 'kind must be one of the following values: news, review, opinion, how-to, ']]],
    [
      { views: 'x' },
      [['views', 'views must be a `number` type, but the final value was: `NaN` (cast from the value `"x"`).']],
    ],
    [{ links: null }, [['links', 'links must be a `array` type, but the final value was: `null`.']]],
  ] as const)('is validated otherwise: %j', async (data, wrong) => {
    expect(await wrongIn('draft', 'article', data)).toEqual(wrong);
  });
});

const product = { sku: 'ANV-01', name: 'Anvil' };
const cast = async (data: object): Promise<unknown> => validated('create', 'product', { ...product, ...data });

const hostile: object = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"polluted":1}}');

describe('valid data is passed on', () => {
  test.each([
    [{ price: ' 5 ' }, { price: 5 }],
    [{ price: '1e3' }, { price: 1000 }],
    [{ price: '0x10' }, { price: 16 }],
    [{ stock: '9' }, { stock: 9 }],
    [{ available: 'TRUE' }, { available: true }],
    [{ available: 0 }, { available: false }],
    [{ serial: 12 }, { serial: '12' }],
    [{ attrs: { a: [1, { b: null }] } }, { attrs: { a: [1, { b: null }] } }],
    [{ sku: ' a ' }, { sku: ' a ' }],
    [{ handle: '' }, { handle: '' }],
    [{ price: null }, { price: null }],
    [{ dimensions: { width: '2' } }, { dimensions: { width: 2 } }],
  ])('with the casts of Strapi v4: %j is %j', async (data, expected) => {
    expect(await cast(data)).toEqual({ ...product, ...expected });
  });

  test.each([
    ['unknown names', { nope: 1 }],
    ['ids', { id: 5000, _id: 5000 }],
    ['what the service writes itself', { createdAt: null, updatedAt: 'x', createdBy: 1, _live: 1, _rank: {} }],
    ['names of Object.prototype', hostile],
  ])('without %s', async (_, data) => {
    expect(await cast(data)).toEqual(product);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('with the id and type of components, without unknown keys', async () => {
    const data = {
      title: 'x',
      blocks: [{ __component: 'blocks.text', id: 3, content: 'y', nope: 1 }],
      links: [{ label: 'z', id: 4, _id: 5 }],
    };
    expect(await validated('create', 'article', data)).toEqual({
      title: 'x',
      links: [{ label: 'z', id: 4 }],
      blocks: [{ __component: 'blocks.text', id: 3, content: 'y' }],
    });
  });
});

const attrs = (value: unknown): ReturnType<typeof wrongIn> =>
  wrongIn('create', 'product', { ...product, attrs: value });

describe('json', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)]);
  test('is limited to 100 levels', async () => {
    expect(await attrs(nested(99))).toEqual([]);
    expect(await attrs(nested(100))).toEqual([['attrs', 'attrs must be JSON of at most 100 levels']]);
  });

  test('of extreme depth does not overflow the stack', async () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown;
    expect(await attrs(deep)).toEqual([['attrs', 'attrs must be JSON of at most 100 levels']]);
  });
});

const errorsOf = (serial: unknown): ReturnType<typeof wrongIn> => wrongIn('create', 'product', { ...product, serial });

describe('bigintegers', () => {
  test.each([['9223372036854775807'], ['-9223372036854775808'], ['00012'], [12], [null]])(
    '%j is accepted',
    async (serial) => {
      expect(await errorsOf(serial)).toEqual([]);
    },
  );

  test.each([['9223372036854775808'], ['1.5'], ['abc'], [true], [{}]])('%j is refused', async (serial) => {
    expect(await errorsOf(serial)).toEqual([
      ['serial', expect.stringMatching(/^serial must be a 64-bit integer, but/)],
    ]);
  });
});
