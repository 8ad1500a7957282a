import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare } from '../../../support/access.js';
import { useService } from '../../../support/service.js';

/** The parts of a plugin that the worked example of the page does without: it is printed there. */
const archive = /```js\n\/\/ plugins\/archive\.js\n(?<code>.*?)```/s.exec(fs.readFileSync('docs/plugins.md', 'utf8'));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'archive-'));
fs.writeFileSync(path.join(folder, 'archive.mjs'), archive?.groups?.['code'] ?? '');
afterAll(() => fs.rmSync(folder, { recursive: true }));

const DESK = 'the-key-of-the-desk';
const client = useService({
  plugins: { archive: { resolve: path.join(folder, 'archive.mjs'), config: { key: DESK } } },
});
const get = (address: string, token?: string) => {
  const sent = request(client.service.url).get(address);
  return token === undefined ? sent : sent.auth(token, { type: 'bearer' });
};
const names = async (token?: string): Promise<readonly string[]> =>
  (await get('/api/tags', token)).body.data.map(({ attributes }: any) => attributes.name);

beforeAll(async () => {
  await declare(client.service, { public: ['api::tag.tag.find', 'api::tag.tag.findOne'] });
  await client.create('tags', { name: 'current' });
  await client.create('tags', { name: 'old', archived: true });
});

test('an interceptor hides entries from the public, and the plugin identifies who may see them', async () => {
  expect(await names()).toEqual(['current']);
  expect((await get('/api/tags/2')).status).toBe(404);
  expect(await names(DESK)).toEqual(['current', 'old']);
  expect((await get('/api/tags', 'another-key')).status).toBe(401);
});

test('a mount is outside of the API, knows who asks, and has a page', async () => {
  expect((await get('/archive')).status).toBe(403);
  const { status, body } = await get('/archive', DESK);
  expect([status, body]).toEqual([200, { archived: 1 }]);
});

test('while a dependency does not respond, /_ready names it', async () => {
  const { status, body } = await get('/_ready');
  expect(status).toBe(200);
  expect(JSON.stringify(body)).toContain('shelf');
});
