import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import request, { type Test } from 'supertest';
import { useService } from '../../support/service.js';

const client = useService({ environment: { ETAG: 'true', COMPRESSION: 'true', RESPONSE_CACHE: '4mb' } });
const { get, create } = client;
const ask = (method: 'get' | 'head', path: string): Test =>
  request(client.service.url)[method](path).auth(client.service.token, { type: 'bearer' });

const deep = [
  'populate[author]=true',
  'populate[tags][sort]=name:desc',
  'populate[related][populate][author]=true',
  'populate[seo]=true',
  'populate[links]=true',
  'populate[blocks][populate]=*',
].join('&');
const list = `/api/articles?${deep}&sort=id`;
const count = 8;
/** Three bytes per letter, stored and sent: all articles together are larger than a megabyte. */
const body = '–'.repeat(60_000);

beforeAll(async () => {
  const tags = [await create('tags', { name: 'Amber' }), await create('tags', { name: 'Basil' })];
  const related: number[] = [];
  for (let number = 1; number <= count; number += 1) {
    const author = await create('authors', { name: `Author “${number}”`, bio: 'y'.repeat(1000) });
    const id = await create('articles', {
      title: `Long ${number}`,
      body,
      bignum: '9007199254740993',
      startsAt: '2024-01-01T00:00:00.000Z',
      meta: { '–': [number, null] },
      seo: { metaTitle: 'Long and deep' },
      links: [{ label: 'a' }, { label: 'b' }],
      blocks: [
        { __component: 'blocks.text', content: body },
        { __component: 'blocks.quote', text: 'x', source: author },
      ],
      author,
      tags,
      related,
    });
    related.push(id);
  }
});

describe('a long list', () => {
  test('is streamed as JSON', async () => {
    const { status, headers, text } = await ask('get', list).set('Accept-Encoding', 'identity');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'transfer-encoding': 'chunked',
    });
    expect(headers).not.toHaveProperty('content-length');
    expect(text).toBe(JSON.stringify(JSON.parse(text)));
  });

  test('contains the same entries as single reads', async () => {
    const { data, meta } = (await get(list)).body;
    expect(meta).toEqual({ pagination: { page: 1, pageSize: 25, pageCount: 1, total: count } });
    expect(data).toHaveLength(count);
    for (const entry of data) expect((await get(`/api/articles/${entry.id}?${deep}`)).body.data).toEqual(entry);
  });

  test.each(['', `&${deep}`])('is continued after a cursor%s', async (populate) => {
    const page = `/api/articles?sort=id&pagination[pageSize]=6${populate}&pagination[after]=`;
    const first = (await get(page)).body;
    const second = (await get(page + String(first.meta.pagination.next))).body;
    expect([first.data.length, second.data.length, second.meta.pagination.next]).toEqual([6, count - 6, null]);
  });

  test('is compressed if the client accepts it', async () => {
    const packed = await ask('get', list).set('Accept-Encoding', 'gzip');
    const plain = await ask('get', list).set('Accept-Encoding', 'identity');
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(packed.text).toBe(plain.text);
  });

  test('has an ETag, and is not sent if the client has it', async () => {
    const { headers, text } = await ask('get', list);
    const hash = createHash('sha1').update(text).digest('base64').slice(0, 27);
    expect(headers['etag']).toBe(`W/"${Buffer.byteLength(text).toString(16)}-${hash}"`);
    const again = await ask('get', list).set('If-None-Match', String(headers['etag']));
    expect([again.status, again.text]).toEqual([304, '']);
    const head = await ask('head', list);
    expect([head.status, head.headers['etag'], head.text]).toEqual([200, headers['etag'], undefined]);
  });

  test('is cached if it fits, and is up to date after a write', async () => {
    const plain = `/api/articles?fields=body&pagination[limit]=6`;
    const before = await ask('get', plain);
    expect((await ask('get', plain)).text).toBe(before.text);
    const [{ id }] = before.body.data;
    await client.put(`/api/articles/${id}`, { body: `${body}!` });
    expect((await ask('get', plain)).body.data[0].attributes.body).toBe(`${body}!`);
  });
});

test('a list of too many entries returns 400 before anything is sent', async () => {
  const { data } = (await get('/api/articles?fields=id')).body;
  const related: readonly number[] = data.map(({ id }: { id: number }) => id);
  for (const id of related) await client.put(`/api/articles/${id}`, { related });
  // Each of the eight leads to 37,448 others: the first one alone is a long list.
  const circle = (levels: number): string => {
    const path = Array.from({ length: levels }, () => '[related]').join('[populate]');
    return `populate${path}[fields]=title`;
  };
  const { status, body: answer } = await get(`/api/articles?fields=title&${[1, 2, 3, 4, 5].map(circle).join('&')}`);
  expect(status).toBe(400);
  expect(answer.error.message).toContain('at most 50000 entries in one response');
});
