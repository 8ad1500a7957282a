import { describe, expect, test } from '@jest/globals';
import { wrongIn, type Wrong } from './validator.js';

/** Recorded from Strapi v4: data and its errors. Attributes that a row does not name are valid. */
type Row = readonly [data: Readonly<Record<string, unknown>>, wrong: Wrong];

function refused(title: string, type: string, valid: Readonly<Record<string, unknown>>, rows: readonly Row[]): void {
  describe(`data of ${title}`, () => {
    test.each(rows)('%j is refused: %j', async (data, wrong) => {
      expect(await wrongIn('create', type, { ...valid, ...data })).toEqual(wrong);
    });
  });
}

const product = { sku: 'ANV-01', name: 'Anvil' };
const article = { title: 'Hello' };

refused('texts', 'product', product, [
  [{ sku: null }, [['sku', 'sku must be a `string` type, but the final value was: `null`.']]],
  [{ sku: 'ab' }, [['sku', 'sku must be at least 3 characters']]],
  [{ sku: 'xxxxxxxxxxxxx' }, [['sku', 'sku must be at most 12 characters']]],
  [{ sku: 123 }, [['sku', 'sku must be a `string` type, but the final value was: `123`.']]],
  [{ sku: true }, [['sku', 'sku must be a `string` type, but the final value was: `true`.']]],
  [{ sku: {} }, [['sku', 'sku must be a `string` type, but the final value was: `{}`.']]],
  [{ name: { a: 1 } }, [['name', 'name must be a `string` type, but the final value was: `{\n  "a": "1"\n}`.']]],
  [{ details: 7 }, [['details', 'details must be a `string` type, but the final value was: `7`.']]],
  [{ pin: 1234 }, [['pin', 'pin must be a `string` type, but the final value was: `1234`.']]],
]);

refused('texts with a length or a pattern', 'article', article, [
  [{ title: 'x'.repeat(121) }, [['title', 'title must be at most 120 characters']]],
  [{ summary: '' }, [['summary', 'summary must be at least 5 characters']]],
  [{ secret: 'abc' }, [['secret', 'secret must be at least 4 characters']]],
  [{ ref: 'ab-123' }, [['ref', String.raw`ref must match the following: "/^[A-Z]{2}-\d{3}$/"`]]],
  [{ ref: 5 }, [['ref', 'ref must be a `string` type, but the final value was: `5`.']]],
  [{ slug: 'bad slug' }, [['slug', 'slug must match the following: "/^[A-Za-z0-9-_.~]*$/"']]],
  [{ contactEmail: '' }, [['contactEmail', 'contactEmail cannot be empty']]],
  // A length counts UTF-16 code units: an emoji is two.
  [{ title: '😀'.repeat(61) }, [['title', 'title must be at most 120 characters']]],
  [{ summary: '😀😀' }, [['summary', 'summary must be at least 5 characters']]],
  [{ secret: '😀!' }, [['secret', 'secret must be at least 4 characters']]],
  [{ seo: { metaTitle: '😀'.repeat(31) } }, [['seo.metaTitle', 'seo.metaTitle must be at most 60 characters']]],
]);

refused('numbers', 'product', product, [
  [
    { price: '' },
    [['price', 'price must be a `number` type, but the final value was: `NaN` (cast from the value `""`).']],
  ],
  [
    { price: false },
    [['price', 'price must be a `number` type, but the final value was: `NaN` (cast from the value `false`).']],
  ],
  [
    { price: [] },
    [['price', 'price must be a `number` type, but the final value was: `NaN` (cast from the value `[]`).']],
  ],
  [{ price: -1 }, [['price', 'price must be greater than or equal to 0']]],
  [{ price: '-0.01' }, [['price', 'price must be greater than or equal to 0']]],
  [
    { cost: 'abc' },
    [['cost', 'cost must be a `number` type, but the final value was: `NaN` (cast from the value `"abc"`).']],
  ],
  [{ stock: '12.5' }, [['stock', 'stock must be an integer']]],
  [{ stock: 1.5 }, [['stock', 'stock must be an integer']]],
  [{ stock: 2 ** 53 }, [['stock', 'stock must be between -9007199254740991 and 9007199254740991']]],
  [{ stock: '9007199254740993' }, [['stock', 'stock must be between -9007199254740991 and 9007199254740991']]],
  [
    { serial: Number('9007199254740993') },
    [['serial', 'serial must be a 64-bit integer, but the final value was: `9007199254740992`.']],
  ],
  [
    { stock: 'NaN' },
    [['stock', 'stock must be a `number` type, but the final value was: `NaN` (cast from the value `"NaN"`).']],
  ],
]);

refused('numbers with a maximum', 'article', article, [
  [{ rating: 5.01 }, [['rating', 'rating must be less than or equal to 5']]],
]);

refused('booleans', 'product', product, [
  [{ available: '' }, [['available', 'available must be a `boolean` type, but the final value was: `""`.']]],
  [{ available: 't' }, [['available', 'available must be a `boolean` type, but the final value was: `"t"`.']]],
  [{ available: [] }, [['available', 'available must be a `boolean` type, but the final value was: `[]`.']]],
]);

refused('enumerations, whose last value is null, which prints as nothing', 'product', product, [
  [{ size: 's' }, [['size', 'size must be one of the following values: S, M, L, XL, ']]],
  [{ size: 1 }, [['size', 'size must be one of the following values: S, M, L, XL, ']]],
  [{ size: '' }, [['size', 'size must be one of the following values: S, M, L, XL, ']]],
  [
    { size: [] },
    [
      ['size', 'size must be a `string` type, but the final value was: `[]`.'],
      ['size', 'size must be one of the following values: S, M, L, XL, '],
    ],
  ],
]);

refused('addresses and handles', 'product', product, [
  [{ support: 'a@b' }, [['support', 'support must be a valid email']]],
  [{ support: 'a b@c.test' }, [['support', 'support must be a valid email']]],
  [{ support: '@c.test' }, [['support', 'support must be a valid email']]],
  [{ support: [] }, [['support', 'support must be a `string` type, but the final value was: `[]`.']]],
  [{ handle: 'a/b' }, [['handle', 'handle must match the following: "/^[A-Za-z0-9-_.~]*$/"']]],
  [{ handle: 5 }, [['handle', 'handle must be a `string` type, but the final value was: `5`.']]],
]);

refused('components', 'article', article, [
  [{ seo: {} }, [['seo.metaTitle', 'seo.metaTitle must be defined.']]],
  [{ seo: 'x' }, [['seo', 'seo must be a `object` type, but the final value was: `"x"`.']]],
  [
    { seo: [{ metaTitle: 'x' }] },
    [['seo', 'seo must be a `object` type, but the final value was: `[\n  {\n    "metaTitle": "\\"x\\""\n  }\n]`.']],
  ],
  [
    { seo: { metaTitle: 'x', openGraph: { ogType: 'zzz' } } },
    [
      ['seo.openGraph.ogTitle', 'seo.openGraph.ogTitle must be defined.'],
      ['seo.openGraph.ogType', 'seo.openGraph.ogType must be one of the following values: website, article, profile, '],
    ],
  ],
  [{ links: null }, [['links', 'links must be a `array` type, but the final value was: `null`.']]],
  [
    { links: { label: 'x' } },
    [['links', 'links must be a `array` type, but the final value was: `{\n  "label": "\\"x\\""\n}`.']],
  ],
  [
    { links: ['x'] },
    [['links.0', 'links[0] must be a `object` type, but the final value was: `null` (cast from the value `"x"`).']],
  ],
  [{ links: [null] }, [['links.0', 'links[0] must be a `object` type, but the final value was: `null`.']]],
  [
    { links: [{ label: 'x' }, { label: 'y', url: 'nope' }] },
    [['links.1.url', String.raw`links[1].url must match the following: "/^(https?:\/\/|\/)/"`]],
  ],
  [
    { links: Array.from({ length: 5 }, () => ({ label: 'x' })) },
    [['links', 'links field must have less than or equal to 4 items']],
  ],
]);

refused('required lists of components', 'section', { heading: 'x', links: [{ label: 'x' }] }, [
  [{ links: [] }, [['links', 'links field must have at least 1 items']]],
  [
    { links: [{ label: 1 }, { label: 'b' }, { label: 'c' }, { label: 'd' }] },
    [
      ['links.0.label', 'links[0].label must be a `string` type, but the final value was: `1`.'],
      ['links', 'links field must have less than or equal to 3 items'],
    ],
  ],
]);

const allowed = 'blocks.text, blocks.quote, blocks.promo, blocks.media';
const components = `shared.seo, shared.open-graph, shared.link, shared.dimensions, shared.address, ${allowed}`;

refused('dynamic zones, which take only the components that they list', 'article', article, [
  [{ blocks: null }, [['blocks', 'blocks must be a `array` type, but the final value was: `null`.']]],
  [{ blocks: [{ __component: 'blocks.text' }] }, [['blocks.0.content', 'blocks[0].content must be defined.']]],
  [
    { blocks: [{ __component: 'shared.seo', metaTitle: 'x' }] },
    [['blocks.0.__component', `blocks[0].__component must be one of the following values: ${allowed}`]],
  ],
  [
    { blocks: [{ __component: 'blocks.none' }] },
    [['blocks.0.__component', `blocks[0].__component must be one of the following values: ${components}`]],
  ],
  [
    {
      blocks: [{ __component: 'blocks.promo', title: 'x', items: [{ label: 'a' }, {}, { label: 3 }, { label: 'z' }] }],
    },
    [
      ['blocks.0.items.1.label', 'blocks[0].items[1].label must be defined.'],
      ['blocks.0.items.2.label', 'blocks[0].items[2].label must be a `string` type, but the final value was: `3`.'],
      ['blocks.0.items', 'blocks[0].items field must have less than or equal to 3 items'],
    ],
  ],
  [
    { blocks: [{ __component: 'blocks.promo', title: 'x', cta: { label: 'a', url: 'q' } }] },
    [['blocks.0.cta.url', String.raw`blocks[0].cta.url must match the following: "/^(https?:\/\/|\/)/"`]],
  ],
]);

refused('all that is wrong, in the order of the definition', 'article', {}, [
  [{}, [['title', 'title must be defined.']]],
  [
    { ref: 'q', views: -2, kind: 'zzz', rating: 9, summary: 'a' },
    [
      ['title', 'title must be defined.'],
      ['summary', 'summary must be at least 5 characters'],
      ['kind', 'kind must be one of the following values: news, review, opinion, how-to, '],
      ['rating', 'rating must be less than or equal to 5'],
      ['views', 'views must be greater than or equal to 0'],
      ['ref', String.raw`ref must match the following: "/^[A-Z]{2}-\d{3}$/"`],
    ],
  ],
  [
    { title: null, blocks: [{ __component: 'blocks.text' }], links: [{}, { label: 'ok', url: 'bad' }], seo: {} },
    [
      ['title', 'title must be a `string` type, but the final value was: `null`.'],
      ['seo.metaTitle', 'seo.metaTitle must be defined.'],
      ['links.0.label', 'links[0].label must be defined.'],
      ['links.1.url', String.raw`links[1].url must match the following: "/^(https?:\/\/|\/)/"`],
      ['blocks.0.content', 'blocks[0].content must be defined.'],
    ],
  ],
]);

refused('required components', 'page', {}, [
  [
    {},
    [
      ['title', 'title must be defined.'],
      ['path', 'path must be defined.'],
      ['hero', 'hero must be defined.'],
    ],
  ],
]);
