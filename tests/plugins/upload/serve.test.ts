import { beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { useService } from '../../support/service.js';
import { picture, upload } from './media.js';

const client = useService();
const ask = (address: string, headers: Readonly<Record<string, string>> = {}) =>
  request(client.service.url).get(address).set(headers);

describe('a stored file', () => {
  const content = 'abcdefghijklmnopqrstuvwxyz';
  let url: string;
  beforeAll(async () => {
    [{ url }] = await upload(client.service, { content, name: 'letters.txt', type: 'text/plain' });
  });

  test('is served to everybody, with its type and for a long time', async () => {
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

  test.each(['bytes=0-1,5-6', 'letters=1-2', 'bytes=x'])('is served whole for the range %s', async (range) => {
    const { status, text } = await ask(url, { Range: range });
    expect([status, text]).toEqual([200, content]);
  });

  test('has no range beyond its end', async () => {
    const { status, headers } = await ask(url, { Range: 'bytes=26-' });
    expect([status, headers['content-range']]).toEqual([416, 'bytes */26']);
  });

  test('is not sent again to who has it', async () => {
    const { headers } = await ask(url);
    const { etag = '', 'last-modified': modified = '' } = headers;
    expect((await ask(url, { 'If-None-Match': etag })).status).toBe(304);
    expect((await ask(url, { 'If-Modified-Since': modified })).status).toBe(304);
    expect((await ask(url, { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  test('is served whole when it is another one than the range was meant for', async () => {
    const { headers } = await ask(url);
    const range = { Range: 'bytes=0-4' };
    expect((await ask(url, { ...range, 'If-Range': headers['etag'] ?? '' })).status).toBe(206);
    expect((await ask(url, { ...range, 'If-Range': '"other"' })).status).toBe(200);
  });

  test('is described by HEAD', async () => {
    const { status, headers, text } = await request(client.service.url).head(url);
    expect([status, headers['content-length'], text]).toEqual([200, '26', undefined]);
  });

  test('cannot be written at its address', async () => {
    expect((await request(client.service.url).put(url).send({})).status).toBe(404);
    expect((await ask(url)).text).toBe(content);
  });
});

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
])('%s is of the type %s', async (name, type, saved) => {
  const [{ url }] = await upload(client.service, { content: '{}', name, type: 'text/plain' });
  const { headers } = await ask(url);
  expect(headers['content-type']).toBe(type);
  expect(headers['content-disposition']).toBe(saved ? 'attachment' : undefined);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*; sandbox$/);
});

test('a replaced file is sent anew', async () => {
  const [{ id, url }] = await upload(client.service, { content: await picture(9, 9), name: 'a.png' });
  const { headers } = await ask(url);
  const sending = request(client.service.url)
    .post(`/api/upload?id=${id}`)
    .auth(client.service.token, { type: 'bearer' });
  await sending.attach('files', await picture(8, 8), 'b.png');
  expect((await ask(url, { 'If-None-Match': headers['etag'] ?? '' })).status).toBe(200);
});
