import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useService } from '../support/service.js';
import { expectRefusedToo } from './as-assistant.js';
import { expectNotWritten } from './as-strapi5.js';
import { sendRaw, type RawAnswer } from './send-raw.js';

/** The parts of the security checklist that concern bodies. All rights lift no rule of these. */
const client = useService({ plugins: { mcp: true, strapi5: true } });
const { get, create } = client;

/** The answer to a write, which assistants cannot propose either if it is refused, nor clients of Strapi 5 write. */
const send = async (
  path: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> => {
  const answer = await sendRaw(client.service, path, { method: 'POST', body, headers });
  if (Object.keys(headers).length > 0) return answer;
  await expectRefusedToo(client.service, path, body, answer);
  await expectNotWritten(client.service, path, body, answer);
  return answer;
};
const post = (path: string, data: unknown): Promise<RawAnswer> => send(path, JSON.stringify({ data }));

interface Sent {
  readonly data: { readonly id: number; readonly attributes: Readonly<Record<string, unknown>> } | null;
  readonly error?: { readonly message: string; readonly details: unknown };
}
const read = ({ text }: RawAnswer): Sent => JSON.parse(text) as Sent;

const countOf = async (collection: string): Promise<number> =>
  (await get(`/api/${collection}?pagination[pageSize]=1&publicationState=preview`)).body.meta.pagination.total;

let author = 0;
let tag = 0;
beforeAll(async () => {
  author = await create('authors', { name: 'Ann' });
  tag = await create('tags', { name: 'Alpha' });
});

/** Milliseconds of processor time, far more than is needed. */
const SOON = 5000;

/** The parts of an error that a client may see. */
function expectNoInternals({ status, text }: RawAnswer): void {
  expect(status).toBeLessThan(500);
  expect(text).not.toMatch(/Mongo|BSON|E11000|at .*\.[jt]s:/);
}

describe('S20, S25: values that look like operators, paths or internal names', () => {
  test.each(['$where', '$$ROOT', '$internalNote', '{"$gt":""}', '__proto__', 'a.b', '$', '\0', '\uFFFD'])(
    'the string %j is returned unchanged',
    async (text) => {
      const id = await create('comments', { text });
      expect((await get(`/api/comments/${id}`)).body.data.attributes.text).toBe(text);
      const { status } = await client.put(`/api/comments/${id}`, { text: `${text}!` });
      expect(status).toBe(200);
      expect((await get(`/api/comments/${id}`)).body.data.attributes.text).toBe(`${text}!`);
    },
  );

  test('JSON is stored completely with any keys, and never evaluated', async () => {
    const attrs = { $where: 'x', 'a.b': 1, $set: { a: 1 }, _id: 1, '': 0, nested: [{ $expr: ['$$ROOT'] }, null, -0.5] };
    const text = JSON.stringify(attrs).replace('{', '{"__proto__":{"x":1},');
    const made = await send('/api/products', `{"data":{"sku":"JSON-1","name":"n","attrs":${text}}}`);
    expect(made.status).toBe(200);
    const { text: found } = await sendRaw(client.service, `/api/products/${read(made).data?.id}`);
    expect(found).toContain('"$where":"x"');
    expect(JSON.parse(found)).toMatchObject({ data: { attributes: { attrs } } });
    expect((await get('/api/products?filters[attrs][$contains]=$where')).body.data).toHaveLength(1);
  });

  test('names of the storage are ignored, and the type stays readable', async () => {
    const data = {
      text: 'named',
      _id: 4711,
      id: 4711,
      __v: 1,
      $set: { text: 'x' },
      _live: 1,
      _refs: [],
      _rank: {},
      'text.x': 1,
      createdAt: null,
      createdBy: 1,
    };
    const made = read(await post('/api/comments', data));
    expect(made.data?.attributes).toMatchObject({ text: 'named', createdAt: expect.any(String) });
    expect(made.data?.id).not.toBe(4711);
    const { db } = client.service.database;
    const stored = await db.collection('comments').findOne({ text: 'named' });
    expect(Object.keys(stored ?? {}).toSorted()).toEqual(['_id', 'createdAt', 'documentId', 'text', 'updatedAt']);
    expect((await get('/api/comments')).status).toBe(200);
  });
});

describe('S24: objects in place of values', () => {
  test.each([
    ['comments', { text: { $gt: '' } }],
    ['comments', { text: 't', likes: { $gt: 0 } }],
    ['comments', { text: ['a', 'b'] }],
    ['tags', { name: { $ne: null } }],
    ['tags', { name: 'x', color: { $in: ['red'] } }],
    ['articles', { title: 't', author: { connect: [{ id: { $ne: 0 } }] } }],
    ['articles', { title: 't', tags: [{ id: [1] }] }],
    ['articles', { title: 't', tags: { set: [{ id: { $gt: 0 } }] } }],
    ['articles', { title: 't', tags: { connect: [{ $gt: 0 }] } }],
    ['articles', { title: 't', tags: { $ne: 1, set: 'x' } }],
    ['articles', { title: 't', seo: 'x' }],
    ['articles', { title: 't', seo: [{ metaTitle: 'x' }] }],
    ['articles', { title: 't', links: { $each: [] } }],
    ['articles', { title: 't', blocks: [{ __component: { $ne: 1 }, content: 'x' }] }],
    ['articles', { title: 't', publishOn: { $date: 1 } }],
    ['articles', { title: 't', startsAt: { $date: 1 } }],
    ['articles', { title: 't', publishedAt: { $ne: null } }],
    ['products', { sku: 'S24', name: 'n', serial: { $numberLong: '1' } }],
  ])('are refused, and nothing is written: /api/%s %j', async (collection, data) => {
    const before = await countOf(collection);
    const answer = await post(`/api/${collection}`, data);
    expectNoInternals(answer);
    expect(answer.status).toBe(400);
    expect(await countOf(collection)).toBe(before);
  });

  test('an empty relation object links nothing', async () => {
    const made = read(await post('/api/articles', { title: 'S24', author: { $ne: author }, tags: { $in: [tag] } }));
    const { body } = await get(`/api/articles/${made.data?.id}?populate[author]=true&populate[tags]=true`);
    expect(body.data.attributes).toMatchObject({ author: { data: null }, tags: { data: [] } });
  });
});

test('S31: keys that could pollute are ignored or kept as data, everywhere in a body', async () => {
  const hostile = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}';
  for (const [path, body] of [
    ['/api/comments', `{${hostile},"data":{"text":"t",${hostile}}}`],
    ['/api/articles', `{"data":{"title":"t","seo":{"metaTitle":"m",${hostile}},"links":[{"label":"l",${hostile}}]}}`],
    [
      '/api/articles',
      `{"data":{"title":"t","meta":{"a":{${hostile}}},"blocks":[{"__component":"blocks.text","content":"c",${hostile}}]}}`,
    ],
    ['/api/articles', `{"data":{"title":"t","author":{${hostile}},"tags":{"connect":[{"id":${tag},${hostile}}]}}}`],
    ['/api/comments', `{"data":{"__proto__":{"text":"inherited"}}}`],
  ] as const) {
    const answer = await send(path, body);
    expectNoInternals(answer);
    expect([200, 400]).toContain(answer.status);
  }
  const plain: { readonly polluted?: unknown } = {};
  expect([plain.polluted, Object.keys(Object.prototype)]).toEqual([undefined, []]);
  expect((await get('/api/articles')).status).toBe(200);
});

test('S34: a form with 20,000 keys is refused quickly', async () => {
  const form = Array.from({ length: 20_000 }, (_, index) => `k${index}=1`).join('&');
  const answer = await send('/api/comments', form, { 'Content-Type': 'application/x-www-form-urlencoded' });
  expect([400, 413]).toContain(answer.status);
  expect(answer.time).toBeLessThan(SOON);
  const deep = `data${'[a]'.repeat(5000)}=1&data[text]=t`;
  expectNoInternals(await send('/api/comments', deep, { 'Content-Type': 'application/x-www-form-urlencoded' }));
});

describe('S36: invalid encodings', () => {
  test.each<[string, Buffer]>([
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from('{"data":{"text":"a'), Buffer.from([0xff, 0xfe, 0xc3]), Buffer.from('"}}')]),
    ],
    ['half a surrogate pair', Buffer.from(String.raw`{"data":{"text":"a\ud800b"}}`)],
    ['NUL', Buffer.from(String.raw`{"data":{"text":"a\u0000b"}}`)],
    ['NUL in a key', Buffer.from(String.raw`{"data":{"text":"a","te\u0000xt":"b"}}`)],
    ['a byte order mark', Buffer.from('\uFEFF{"data":{"text":"a"}}')],
    ['UTF-16', Buffer.from('{"data":{"text":"a"}}', 'utf16le')],
  ])('%s is refused or taken literally, and the list stays readable', async (_, body) => {
    const answer = await send('/api/comments', body);
    expectNoInternals(answer);
    expect([200, 400]).toContain(answer.status);
    expect((await get('/api/comments?sort=id:desc')).status).toBe(200);
  });

  test('an unknown charset is refused', async () => {
    const answer = await send('/api/comments', '{}', { 'Content-Type': 'application/json; charset=x-none' });
    expect([400, 415]).toContain(answer.status);
  });
});

describe('S37: sizes', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

  test.each([
    ['JSON of 20,000 levels', '/api/products', `{"data":{"sku":"DEEP","name":"n","attrs":${nested(20_000)}}}`],
    [
      'components of 20,000 levels',
      '/api/articles',
      `{"data":{"title":"t","seo":${'{"openGraph":'.repeat(20_000)}1${'}'.repeat(20_000)}}}`,
    ],
    ['a relation of 20,000 levels', '/api/articles', `{"data":{"title":"t","tags":${nested(20_000)}}}`],
    ['data of 20,000 levels', '/api/articles', `{"data":${nested(20_000)}}`],
  ])('%s are refused', async (_, path, body) => {
    const answer = await send(path, body);
    expectNoInternals(answer);
    expect({ status: answer.status, soon: answer.time < SOON }).toEqual({ status: 400, soon: true });
    expect((await get('/api/products')).status).toBe(200);
  });

  test('a body of 20,000 levels has no hash for a key', async () => {
    const { status, text } = await send('/api/articles', `{"data":${nested(20_000)}}`, { 'Idempotency-Key': 'deep' });
    expect([status, text]).toEqual([400, expect.stringContaining('Idempotency-Key needs a body of at most')]);
  });

  test('a body of 1.2 MB is refused, compressed or not', async () => {
    const body = `{"data":{"text":"${'x'.repeat(1_200_000)}"}}`;
    expect((await send('/api/comments', body)).status).toBe(413);
    const bomb = gzipSync(Buffer.from(`{"data":{"text":"${'x'.repeat(50_000_000)}"}}`));
    expect((await send('/api/comments', bomb, { 'Content-Encoding': 'gzip' })).status).toBe(413);
  });

  test('a body that is not compressed as declared is refused', async () => {
    expect((await send('/api/comments', '{"data":{}}', { 'Content-Encoding': 'gzip' })).status).toBe(400);
    expect([400, 415]).toContain((await send('/api/comments', '{}', { 'Content-Encoding': 'x' })).status);
  });
});

describe('S38: numbers are returned exactly or refused', () => {
  let products = 0;
  test.each([
    ['price', '0.30000000000000004', 0.300_000_000_000_000_04],
    ['price', '1e-320', 1e-320],
    ['cost', '-1.7976931348623157e308', -1.797_693_134_862_315_7e308],
    ['stock', '-2147483648', -2_147_483_648],
    ['stock', '9007199254740991', Number.MAX_SAFE_INTEGER],
    ['serial', '"9223372036854775807"', '9223372036854775807'],
    ['serial', '"-9223372036854775808"', '-9223372036854775808'],
    ['serial', '"9007199254740993"', '9007199254740993'],
  ])('%s %s', async (name, written, expected) => {
    const sku = `EXACT-${(products += 1)}`;
    const made = read(await send('/api/products', `{"data":{"sku":"${sku}","name":"n","${name}":${written}}}`));
    expect(made.data?.attributes[name]).toBe(expected);
    expect((await get(`/api/products/${made.data?.id}`)).body.data.attributes[name]).toBe(expected);
  });

  test.each([
    ['price', '1e400'],
    ['price', '"1e400"'],
    ['price', '"Infinity"'],
    ['price', '"NaN"'],
    ['cost', '-1e400'],
    ['stock', '1.5'],
    ['stock', '1e400'],
    ['serial', '"9223372036854775808"'],
    ['serial', '"1e3"'],
    ['serial', '"1.5"'],
    ['serial', '9007199254740993'],
  ])('%s %s is refused', async (name, written) => {
    const answer = await send('/api/products', `{"data":{"sku":"NONE-1","name":"n","${name}":${written}}}`);
    expectNoInternals(answer);
    expect({ status: answer.status, message: read(answer).error?.message }).toEqual({
      status: 400,
      message: expect.stringMatching(new RegExp(`^${name} must be`)),
    });
  });

  test('-0 is accepted as a number', async () => {
    const made = read(await send('/api/products', '{"data":{"sku":"ZERO-1","name":"n","price":-0,"stock":-0}}'));
    expect(made.data?.attributes).toMatchObject({ sku: 'ZERO-1' });
    expect((await get('/api/products?filters[price]=0&filters[stock]=0')).body.data).toHaveLength(1);
  });
});

describe('S39: ambiguous bodies', () => {
  test('with duplicate keys validate and store the last value', async () => {
    const refused = await send('/api/tags', '{"data":{"name":"good","name":null}}');
    expect(refused.status).toBe(400);
    const made = read(await send('/api/tags', '{"data":{"name":null},"data":{"name":"first","name":"last"}}'));
    expect(made.data?.attributes['name']).toBe('last');
  });

  test.each([
    ['text', 'text/plain', '{"data":{"text":"t"}}'],
    ['HTML', 'text/html', '{"data":{"text":"t"}}'],
    ['nothing', 'application/json', ''],
    ['an empty object', 'application/json', '{}'],
    ['a list', 'application/json', '[{"data":{"text":"t"}}]'],
    ['data that is a list', 'application/json', '{"data":[{"text":"t"}]}'],
    ['data that is null', 'application/json', '{"data":null}'],
    ['data that is a text', 'application/json', '{"data":"{}"}'],
    ['two bodies', 'application/json', '{"data":{"text":"t"}}{"data":{"text":"t"}}'],
  ])('%s is refused, and nothing is written', async (_, type, body) => {
    const before = await countOf('comments');
    const answer = await send('/api/comments', body, { 'Content-Type': type });
    expectNoInternals(answer);
    expect(answer.status).toBe(400);
    expect(await countOf('comments')).toBe(before);
  });
});
