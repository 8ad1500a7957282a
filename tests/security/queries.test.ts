import { beforeAll, describe, expect, test } from '@jest/globals';
import { startProcessorTime } from '../support/processor-time.js';
import { useService } from '../support/service.js';
import { expectTheSame } from './as-assistant.js';
import { expectNoMore } from './as-strapi5.js';
import { sendRaw, type RawAnswer } from './send-raw.js';

/** The parts of the security checklist that concern queries. All rights lift no rule of these. */
const client = useService({ plugins: { mcp: true, strapi5: true } });
/** The answer to a read, which is the same for an assistant; a client of Strapi 5 gets no more. */
const get = async (path: string): Promise<RawAnswer> => {
  const answer = await sendRaw(client.service, path);
  await expectTheSame(client.service, path, answer);
  await expectNoMore(client.service, path, answer);
  return answer;
};

/** The ids that a list finds. */
async function idsOf(path: string): Promise<readonly number[]> {
  const { status, text } = await get(path);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return (JSON.parse(text) as { data: { id: number }[] }).data.map(({ id }) => id);
}

/** The error of a refused request; otherwise the complete response. */
async function refusalOf(path: string): Promise<string> {
  const { status, text } = await get(path);
  const { data, error } = JSON.parse(text) as { data: unknown; error?: { message: string } };
  return status === 400 && data === null && error !== undefined ? error.message : `${status} ${text}`;
}

/** Milliseconds of processor time, many times what is needed; what a hostile pattern or plan takes is minutes. */
const SOON = 5000;

let author = 0;
let article = 0;
let draft = 0;
const titles = ['$internalNote', '$$ROOT', 'a%b', 'a_b', 'a.*', '100', `${'a'.repeat(100)}!`];
const products: number[] = [];

beforeAll(async () => {
  const { create } = client;
  const address = { city: 'Leeds', hidden: 'HIDDEN1' };
  author = await create('authors', { name: 'Ann', notes: 'SECRET1', address });
  article = await create('articles', { title: 'One', internalNote: 'SECRET2', secret: 'password1', author });
  draft = await create('articles', { title: 'Draft', slug: 'draft', author, publishedAt: null });
  for (const [index, name] of titles.entries()) {
    products.push(
      await create('products', { sku: `SEC-${index}`, name, pin: 'password2', margin: 0.5, vendor: author }),
    );
  }
});

describe('S01, S02, S03, S05: private attributes and passwords', () => {
  const deep = 'filters[$or][0][$and][0][$not][$or][0]';
  test.each([
    ['articles', 'filters[internalNote][$contains]=SECRET', 'internalNote'],
    ['articles', `${deep}[internalNote]=x`, 'internalNote'],
    ['articles', `${deep}[author][notes]=x`, 'notes'],
    ['articles', 'filters[author][notes][$startsWith]=S', 'notes'],
    ['articles', 'filters[author][articles][author][notes][$null]=true', 'notes'],
    ['articles', 'populate[author][filters][notes][$startsWith]=S', 'notes'],
    ['articles', 'populate[author][filters][$not][notes]=x', 'notes'],
    ['articles', 'populate[author][sort]=notes', 'notes'],
    ['articles', 'populate[author][fields][0]=notes', 'notes'],
    ['articles', 'populate[tags][populate][articles][populate][author][sort]=notes:desc', 'notes'],
    ['articles', 'sort=internalNote', 'internalNote'],
    ['articles', 'sort[0]=author.notes:asc', 'notes'],
    ['articles', 'sort[author][notes]=asc', 'notes'],
    ['articles', 'fields[0]=internalNote', 'internalNote'],
    ['articles', 'filters[secret][$notNull]=true', 'secret'],
    ['articles', 'sort=secret', 'secret'],
    ['articles', 'fields[0]=secret', 'secret'],
    ['products', 'filters[pin][$startsWith]=$2', 'pin'],
    ['products', 'filters[margin][$gt]=0', 'margin'],
    ['articles', 'filters[createdBy][id]=1', 'createdBy'],
    ['articles', 'sort=createdBy.email', 'createdBy'],
    ['pages', 'populate[createdBy][fields][0]=email', 'email'],
    ['pages', 'populate[createdBy][fields][0]=password', 'password'],
    ['pages', 'filters[createdBy][email][$contains]=a', 'email'],
    ['authors', 'populate[account][fields][0]=password', 'password'],
    ['authors', 'filters[account][resetPasswordToken][$startsWith]=a', 'resetPasswordToken'],
  ])('are refused as parameters: /api/%s?%s', async (collection, query, name) => {
    expect(await refusalOf(`/api/${collection}?${query}`)).toBe(`Invalid parameter ${name}`);
  });

  test('are in no response', async () => {
    for (const path of [
      '/api/articles?populate=*',
      '/api/articles?fields=*&populate[author][populate]=*',
      `/api/articles/${article}?populate=*`,
      '/api/products?populate[vendor]=*',
      '/api/authors?populate=*',
    ]) {
      const { status, text } = await get(path);
      expect(status).toBe(200);
      expect(text).not.toMatch(/SECRET|HIDDEN|password|\$2[aby]\$|"internalNote"|"notes"|"margin"|"pin"|"secret"/);
    }
  });
});

test.each([
  't0.title',
  'author.notes',
  'internalNote.x',
  'Internalnote',
  'title.$eq',
  '_id',
  '__v',
  '_live',
  '_rank.author',
])('S04: %s is refused as a name in every parameter', async (name) => {
  expect(await refusalOf(`/api/articles?filters[${name}]=x`)).toBe(`Invalid parameter ${name}`);
  expect(await refusalOf(`/api/articles?fields[0]=${name}`)).toBe(`Invalid parameter ${name}`);
  const sorted = await get(`/api/articles?sort[${name}]=asc`);
  expect(sorted.status).toBe(400);
  // Unknown names in populate are left out; what is private of known ones is left out as well.
  const { status, text } = await get(`/api/articles?populate[${name}]=true&populate[0]=${name}`);
  expect(status).toBe(200);
  expect(text).not.toMatch(/SECRET|_rank|_live/);
});

test('S04: a name with NUL is a different name', async () => {
  const { status, text } = await get('/api/articles?filters[internalNote%00]=x');
  expect(status).toBe(400);
  expect(text).not.toContain('SECRET');
});

test('S06: a search does not match private attributes and passwords, for any caller', async () => {
  expect(await idsOf('/api/articles?_q=SECRET2')).toEqual([]);
  expect(await idsOf('/api/authors?_q=SECRET1')).toEqual([]);
  expect(await idsOf('/api/products?_q=$2')).toEqual([]);
  expect(await idsOf('/api/articles?_q=One')).toEqual([article]);
});

test('S08: unknown top-level parameters are ignored', async () => {
  const plain = await get('/api/articles');
  for (const name of ['where', '_where', 'lookup', 'select', 'on', 'data', 'files', 'pipeline', '$where', 'let']) {
    const { status, text } = await get(`/api/articles?${name}[createdBy][resetPasswordToken][$startsWith]=a`);
    expect({ name, status, text }).toEqual({ name, status: 200, text: plain.text });
  }
});

describe('S13: private attributes of components', () => {
  test.each([
    'populate=address',
    'populate=*',
    'populate[address]=*',
    'populate[address][fields]=*',
    'populate[address][populate]=*',
  ])('are left out of %s', async (query) => {
    const { status, text } = await get(`/api/authors?${query}`);
    expect(status).toBe(200);
    expect(text).toContain('Leeds');
    expect(text).not.toMatch(/hidden/i);
  });

  test.each([
    'filters[address][hidden][$startsWith]=H',
    'sort=address.hidden',
    'populate[address][fields][0]=hidden',
    'populate[address][filters][hidden]=x',
    'populate[address][sort]=hidden',
  ])('are refused as parameters: %s', async (query) => {
    expect(await refusalOf(`/api/authors?${query}`)).toBe('Invalid parameter hidden');
  });
});

describe('S16: drafts', () => {
  test('are in lists on every level only with publicationState=preview', async () => {
    for (const path of [
      '/api/articles?populate=*',
      '/api/authors?populate=articles',
      '/api/products?populate[vendor][populate]=articles',
      '/api/authors?populate[articles][filters][slug]=draft',
    ]) {
      expect((await get(path)).text).not.toContain('"Draft"');
    }
    expect(await idsOf('/api/articles?publicationState=preview')).toEqual([article, draft]);
  });

  test('are counted only where they are listed', async () => {
    const totalOf = async (query: string): Promise<unknown> => {
      const { text } = await get(`/api/articles?pagination[pageSize]=1&${query}`);
      return (JSON.parse(text) as { meta: { pagination: { total: number } } }).meta.pagination.total;
    };
    expect(await totalOf('publicationState=live')).toBe(1);
    expect(await totalOf('publicationState=preview')).toBe(2);
    expect(await totalOf('filters[slug]=draft')).toBe(0);
  });

  test('match filters through relations, as recorded from Strapi v4', async () => {
    expect(await idsOf('/api/authors?filters[articles][slug]=draft')).toEqual([author]);
  });
});

describe('S17, S18, S19: operators of the database', () => {
  test.each(['$where', '$expr', '$function', '$jsonSchema', '$accumulator', '$text', '$nor', '$comment'])(
    '%s instead of an attribute is refused quickly',
    async (operator) => {
      for (const path of [`[${operator}]`, `[$and][0][$or][0][${operator}]`, `[$not][${operator}]`]) {
        const { status, text, time } = await get(`/api/articles?filters${path}=sleep(3000)`);
        expect(JSON.parse(text)).toMatchObject({ error: { message: `Invalid parameter ${operator}` } });
        expect({ status, soon: time < SOON }).toEqual({ status: 400, soon: true });
      }
    },
  );

  test.each(['$regex', '$options', '$where', '$elemMatch', '$type', '$size', '$exists', '$mod', '$expr', '$nin'])(
    '%s below an attribute is ignored or refused, not executed',
    async (operator) => {
      expect(await idsOf(`/api/products?filters[name][${operator}]=^a`)).toEqual(products);
      expect(await idsOf(`/api/products?filters[name][$not][${operator}][$gt]=`)).toEqual(products);
    },
  );

  test.each([
    'sort[$where]=asc',
    'sort=$natural:desc',
    'sort=_id',
    'sort=__v',
    'sort[$meta]=textScore',
    'fields[0]=$$ROOT',
    'fields[0]=$name',
  ])('%s is refused', async (query) => {
    expect((await get(`/api/products?${query}`)).status).toBe(400);
  });

  test('stages in populate are unknown attributes and populate nothing', async () => {
    const plain = await get('/api/products');
    for (const query of [
      'populate[$lookup]=x',
      'populate=$lookup',
      'populate[$lookup][from]=authors&populate[$lookup][as]=x',
    ]) {
      expect((await get(`/api/products?${query}`)).text).toBe(plain.text);
    }
  });
});

test.each([
  ['$internalNote', 0],
  ['$$ROOT', 1],
])('S20: the value %s is compared as a string, not as a path', async (name, index) => {
  for (const filter of ['[name]', '[name][$in][0]', '[name][$eqi]', '[name][$startsWith]']) {
    expect(await idsOf(`/api/products?filters${filter}=${name}`)).toEqual([products[index]]);
  }
  expect(await idsOf(`/api/products?_q=${name}`)).toEqual([products[index]]);
  const populated = await get(`/api/products/${products[index]}?populate[vendor][filters][name]=${name}`);
  expect(JSON.parse(populated.text)).toMatchObject({ data: { attributes: { name, vendor: { data: null } } } });
});

describe('S23: an invalid id', () => {
  test.each([
    '%7B%22$gt%22:0%7D',
    '%5Bobject%20Object%5D',
    '1%00',
    '$gt',
    '-1',
    '1e0',
    '0x1',
    '%20',
    '1,2',
    'null',
    'NaN',
  ])('%s returns 404 and writes nothing', async (id) => {
    const path = `/api/articles/${id}`;
    const before = await get(`/api/articles/${article}`);
    const body = '{"data":{"title":"Changed"}}';
    for (const sent of [
      await get(path),
      await sendRaw(client.service, path, { method: 'PUT', body }),
      await sendRaw(client.service, path, { method: 'DELETE' }),
    ]) {
      expect([400, 404]).toContain(sent.status);
    }
    expect((await get(`/api/articles/${article}`)).text).toBe(before.text);
  });
});

test('S27: operators within lists are refused or match nothing', async () => {
  for (const query of [
    'filters[id][$in][0][$ne]=1',
    'filters[stock][$between][0][$gt]=&filters[stock][$between][1]=5',
    'filters[name][$in][0][$regex]=.',
    'filters[name][$eq][$ne]=x',
    'filters[id][$notIn][0][$gt]=0',
    'filters[vendor][$in][0][$ne]=0',
    'filters[vendor][id][$eq][$gt]=0',
  ]) {
    const { status, text } = await get(`/api/products?${query}`);
    expect([200, 400]).toContain(status);
    expect(text).not.toMatch(/Mongo|BSON|\$gt.*unknown/);
  }
  expect((await get('/api/products?filters[id][$in][0][$ne]=1')).status).toBe(400);
});

describe('S28: text operators do not accept patterns', () => {
  test.each([
    ['(a%2B)%2B$', []],
    ['^', []],
    ['%5B', []],
    ['%5C', []],
    ['.*', [4]],
    ['%00', []],
    ['%5Cx61', []],
    ['(?i)A', []],
    ['%5CQa', []],
  ])('%s is compared literally and quickly', async (needle, found) => {
    for (const operator of ['$contains', '$containsi', '$endsWith', '$endsWithi']) {
      const processorTime = startProcessorTime();
      expect(await idsOf(`/api/products?filters[name][${operator}]=${needle}`)).toEqual(
        found.map((index) => products[index]),
      );
      expect(processorTime()).toBeLessThan(SOON);
    }
  });

  test('also for numbers, booleans and timestamps compared as text', async () => {
    for (const attribute of ['id', 'stock', 'price', 'available', 'createdAt', 'serial', 'dimensions][width']) {
      for (const needle of ['.*', '%5Cd', '^', '(%5Cd%2B)%2B$', '[0-9]', '$stock', '%00', '%25', '_']) {
        for (const operator of ['$contains', '$startsWithi', '$eqi']) {
          expect(await idsOf(`/api/products?filters[${attribute}][${operator}]=${needle}`)).toEqual([]);
        }
      }
    }
  });

  test('long and many search strings are answered or refused quickly', async () => {
    const branches = Array.from({ length: 200 }, (_, index) => `filters[$or][${index}][name][$containsi]=zz${index}`);
    for (const query of [
      `filters[name][$containsi]=${'a'.repeat(14_000)}`,
      `filters[name][$containsi]=${'(a*)*'.repeat(2000)}`,
      `filters[name][$containsi]=${'a'.repeat(100_000)}`,
      branches.join('&'),
    ]) {
      const { status, time } = await get(`/api/products?${query}`);
      expect([200, 400, 414, 431]).toContain(status);
      expect(time).toBeLessThan(SOON);
    }
  });
});

test.each([
  ['filters[name][$contains]=%25', [2]],
  ['filters[name][$contains]=_', [3]],
  ['filters[name][$eqi]=%25', []],
  ['filters[name][$startsWith]=_', []],
  ['filters[name][$startsWith]=a_', [3]],
  ['filters[name][$endsWithi]=%25B', [2]],
  ['filters[name][$eq]=a_b', [3]],
])('S29: %s matches the character only', async (query, found) => {
  expect(await idsOf(`/api/products?${query}`)).toEqual(found.map((index) => products[index]));
});

test('S30: __proto__ and constructor in queries change no prototype', async () => {
  const plain = await get('/api/articles');
  for (const query of [
    'filters[__proto__][x]=1&a[constructor][prototype][y]=1',
    '__proto__[x]=1&constructor[prototype][x]=1',
    'populate[__proto__][x]=1&populate[constructor][populate]=*',
    'sort=constructor&toString=1&hasOwnProperty=1&length=5&valueOf[x]=1',
  ]) {
    const { status, text } = await get(`/api/articles?${query}`);
    expect({ query, status, text }).toEqual({ query, status: 200, text: plain.text });
  }
  const hostile = { ...({} as { x?: unknown; y?: unknown }) };
  expect([hostile.x, hostile.y, Object.keys(Object.prototype)]).toEqual([undefined, undefined, []]);
  for (const name of ['toString', 'hasOwnProperty', 'constructor']) {
    expect([200, 400]).toContain((await get(`/api/articles?filters[${name}]=1`)).status);
  }
});

describe('S32: depth', () => {
  test('filters of 40 levels are refused quickly', async () => {
    const { status, time } = await get(`/api/articles?filters${'[$not]'.repeat(40)}[title]=x`);
    expect({ status, soon: time < SOON }).toEqual({ status: 400, soon: true });
    expect((await get(`/api/articles?filters${'[author][articles]'.repeat(20)}[title]=x`)).status).toBe(400);
  });

  test('populate of 30 levels is answered within the cost limit', async () => {
    const levels = '[populate][author][populate][articles]'.repeat(15).replace('[populate]', '');
    expect((await get(`/api/articles?populate${levels}[fields][0]=title`)).status).toBe(200);
    const stars = '[populate][articles][populate][author]'.repeat(4);
    expect((await get(`/api/articles?populate[author]${stars}[populate]=*`)).status).toBe(200);
    const wide = Array.from(
      { length: 15 },
      (_, index) => `populate[author]${'[populate][articles][populate][author]'.repeat(index)}[populate]=*`,
    );
    const { status, time } = await get(`/api/articles?${wide.join('&')}`);
    expect([200, 400]).toContain(status);
    expect(time).toBeLessThan(SOON);
  });
});

describe('S33, S34: long lists and many parameters', () => {
  const list = (length: number): string =>
    Array.from({ length }, (_, index) => `filters[id][$in][${index}]=${products[0]}`).join('&');

  test('lists of 100 values are accepted, longer ones are refused', async () => {
    expect(await idsOf(`/api/products?${list(100)}`)).toEqual([products[0]]);
    for (const query of [
      list(300),
      `${'filters[id][$in][]=1&'.repeat(300)}x=1`,
      `${'filters[id][]=1&'.repeat(300)}x=1`,
    ]) {
      const { status, time } = await get(`/api/products?${query}`);
      expect({ status, soon: time < SOON }).toEqual({ status: 400, soon: true });
    }
  });

  test('an index beyond the limit never creates a list', async () => {
    const { status, text } = await get('/api/products?filters[id][$in][200]=1');
    expect([200, 400]).toContain(status);
    expect(text.length).toBeLessThan(10_000);
  });

  test('a comma is part of a value', async () => {
    expect(await idsOf(`/api/products?filters[id][$in]=${products[0]},${products[1]}`)).toEqual([]);
  });

  test('thousands of parameters are refused quickly', async () => {
    const distinct = Array.from({ length: 1500 }, (_, index) => `p${index}=1`).join('&');
    for (const query of [distinct, 'a[]=&'.repeat(2000), `${distinct}&`.repeat(7), 'a[]=&'.repeat(100_000)]) {
      const { status, time } = await get(`/api/products?${query}`);
      expect([400, 414, 431]).toContain(status);
      expect(time).toBeLessThan(SOON);
    }
  });
});

test.each([
  ['filters=abc', 400],
  ['filters[0]=abc', 400],
  ['populate[a][b]=', 200],
  ['pagination=5', 200],
  ['pagination[page]=abc', 400],
  ['pagination[page]=1&pagination[page]=2', 400],
  ['pagination[pageSize][$gt]=1', 400],
  ['sort[0][title][x]=asc', 400],
  ['fields[title]=1', 400],
  ['publicationState[x]=live', 400],
  ['_q[x]=1', 400],
])('S35: %s with an unexpected type returns 400 or is ignored', async (query, status) => {
  expect(await get(`/api/articles?${query}`)).toMatchObject({ status });
});

test.each([
  '/api/articles/%ff',
  '/api/articles/%',
  '/api/%c3%28',
  '/api/articles?%',
  '/api/articles?%ff=%fe',
  '/api/articles?filters[title]=%ff',
  '/api/articles?filters[title]=%ED%A0%80',
  '/api/articles?filters[title]=%00',
  '/api/articles?filters[title][$contains]=a%00b',
  '/api/articles?filters[%00]=x',
  '/api/articles?sort=%00',
  '/api/articles?_q=%00',
  '/api/articles?populate=%00',
  '/api/articles?[]=1&[[[=1&]]]=1&=1&&&',
  '/api/articles?filters[[title]]=1',
])('S36: %s is refused or taken literally', async (path) => {
  const { status, text } = await get(path);
  expect([200, 400, 404]).toContain(status);
  expect(text).not.toMatch(/Mongo|BSON|at .*\.[jt]s/);
});

test.each([
  ['/api/articles/99999999999999999999', 404],
  ['/api/articles/9007199254740993', 404],
  ['/api/articles/1e400', 404],
  ['/api/articles/-0', 404],
  ['/api/products?filters[id]=99999999999999999999', 200],
  ['/api/products?filters[price][$lt]=1e400', 200],
  ['/api/products?filters[stock]=-0', 200],
  ['/api/products?filters[serial]=9223372036854775808', 200],
  ['/api/products?pagination[start]=1e400', 400],
  ['/api/products?pagination[page]=99999999999999999999', 200],
  ['/api/products?pagination[start]=9007199254740991', 200],
])('S38: %s with a number out of range returns %i', async (path, status) => {
  const answer = await get(path);
  expect(answer.status).toBe(status);
  expect(answer.text).not.toMatch(/Mongo|Infinity|NaN/);
});
