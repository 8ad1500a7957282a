import { beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import request from 'supertest';
import { useService, type Client } from '../../../support/service.js';
import { picture, send, upload } from './media.js';

import { stores, useStore } from './stores.js';

const askIn =
  (client: Client) =>
  (address: string, headers: Readonly<Record<string, string>> = {}) =>
    request(client.service.url).get(address).set(headers);

describe.each(stores)('a file in the store %s', (store) => {
  const client = useService(useStore(store));
  const ask = askIn(client);
  const content = 'abcdefghijklmnopqrstuvwxyz';
  let url: string;
  beforeAll(async () => {
    [{ url }] = await upload(client.service, { content, name: 'letters.txt', type: 'text/plain' });
  });

  test('is public, with its content type and a long cache lifetime', async () => {
    const { status, text, headers } = await ask(url);
    expect([status, text]).toEqual([200, content]);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '26',
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
    });
  });

  test.each([
    ['bytes=0-4', 'abcde', 'bytes 0-4/26'],
    ['bytes=20-', 'uvwxyz', 'bytes 20-25/26'],
    ['bytes=-3', 'xyz', 'bytes 23-25/26'],
    ['bytes=24-999', 'yz', 'bytes 24-25/26'],
  ])('is served in the range %s', async (range, part, contentRange) => {
    const { status, text, headers } = await ask(url, { Range: range });
    expect([status, text, headers['content-range'], headers['content-length']]).toEqual([
      206,
      part,
      contentRange,
      String(part.length),
    ]);
  });

  test.each(['bytes=0-1,5-6', 'letters=1-2', 'bytes=x'])('is served completely for the range %s', async (range) => {
    const { status, text } = await ask(url, { Range: range });
    expect([status, text]).toEqual([200, content]);
  });

  test('answers 416 for a range beyond its end', async () => {
    const { status, headers } = await ask(url, { Range: 'bytes=26-' });
    expect([status, headers['content-range']]).toEqual([416, 'bytes */26']);
  });

  test('is not sent again to a client that has it', async () => {
    const { headers } = await ask(url);
    const { etag = '', 'last-modified': modified = '' } = headers;
    expect((await ask(url, { 'If-None-Match': etag })).status).toBe(304);
    expect((await ask(url, { 'If-None-Match': etag, 'Cache-Control': 'no-cache' })).status).toBe(304);
    expect((await ask(url, { 'If-Modified-Since': modified })).status).toBe(304);
    expect((await ask(url, { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  test('is served completely if If-Range does not match', async () => {
    const { headers } = await ask(url);
    const range = { Range: 'bytes=0-4' };
    expect((await ask(url, { ...range, 'If-Range': headers['etag'] ?? '' })).status).toBe(206);
    expect((await ask(url, { ...range, 'If-Range': '"other"' })).status).toBe(200);
  });

  test('answers HEAD with the headers', async () => {
    const { status, headers, text } = await request(client.service.url).head(url);
    expect([status, headers['content-length'], text]).toEqual([200, '26', undefined]);
  });

  test('refuses writes to its URL', async () => {
    expect((await request(client.service.url).put(url).send({})).status).toBe(405);
    expect((await ask(url)).text).toBe(content);
  });

  test('is sent again after it was replaced, also by a file of the same size', async () => {
    const [{ id, url: address }] = await upload(client.service, { content: 'one', name: 'a.txt' });
    const { headers } = await ask(address);
    await send(client.service, 'post', `/api/upload?id=${id}`, [{ content: 'two', name: 'b.txt' }]);
    const again = await ask(address, { 'If-None-Match': headers['etag'] ?? '' });
    expect([again.status, again.text]).toEqual([200, 'two']);
  });

  test('is served with its sizes as long as its record exists', async () => {
    const [image] = await upload(client.service, { content: await picture(1200, 600), name: 'wide.png' });
    const formats = Object.values<{ readonly url: string; readonly width: number }>(image.formats);
    expect(image).toMatchObject({ provider: store, width: 1200, height: 600 });
    expect(formats).toHaveLength(4);
    for (const { url: address, width } of formats) {
      const { body, headers } = await ask(address);
      expect([(await sharp(body).metadata()).width, headers['content-type']]).toEqual([width, 'image/png']);
    }
    await client.delete(`/api/upload/files/${image.id}`);
    const answers = await Promise.all([image, ...formats].map((one) => ask(one.url)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });
});

const client = useService();
const ask = askIn(client);

test.each([
  ['a.png', 'image/png', false],
  ['a.svg', 'image/svg+xml', false],
  ['a.mp4', 'video/mp4', false],
  ['a.mp3', 'audio/mpeg', false],
  ['a.txt', 'text/plain; charset=utf-8', false],
  ['a.json', 'application/json; charset=utf-8', false],
  ['a.html', 'text/html; charset=utf-8', true],
  ['a.xhtml', 'application/xhtml+xml', true],
  ['a.xml', 'application/xml', true],
  ['a.js', 'text/javascript; charset=utf-8', true],
  ['a.pdf', 'application/pdf', true],
  ['a.zip', 'application/zip', true],
  ['a.strange', 'application/octet-stream', true],
])('%s is served as %s', async (name, type, saved) => {
  const [{ url }] = await upload(client.service, { content: '{}', name, type: 'text/plain' });
  const { headers } = await ask(url);
  expect(headers['content-type']).toBe(type);
  expect(headers['content-disposition']).toBe(saved ? 'attachment' : undefined);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*; sandbox$/);
});
