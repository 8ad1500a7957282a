import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestService } from '../../../../src/testing.js';
import { declare } from '../../../support/access.js';
import { useService } from '../../../support/service.js';

/** A cache that refuses the first purge after each `refuse`, and notes all that it is asked for. */
const keeper = `
module.exports = ({ name = 'edge' }) => {
  let context;
  let isRefusing = false;
  const [asked, prefixes] = [[], []];
  const purge = async (tags, signal) => {
    asked.push({ tags, isAborted: signal.aborted });
    if (!isRefusing) return;
    isRefusing = false;
    throw new Error('not now');
  };
  return {
    name: 'keeper',
    start: async (started) => void (context = started),
    caches: ({ prefix }) => {
      prefixes.push(prefix);
      return [
        { name, header: 'Edge-Tags', separator: '|', maxTags: 2, purge },
        { name: 'deaf', header: 'Deaf-Tags', separator: ' ', maxTags: 1 },
      ];
    },
    commands: [
      { usage: 'asked', description: 'its purges', run: async () => ({ rows: asked.splice(0) }) },
      { usage: 'refuse', description: 'refuse a purge', run: async () => ((isRefusing = true), { rows: prefixes.map((prefix) => ({ prefix })) }) },
      { usage: 'all', description: 'purge all', run: async () => ({ rows: [{ isDone: await context.http.purgeAll() }] }) },
    ],
  };
};`;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'caches-'));
const resolve = path.join(folder, 'keeper.cjs');
fs.writeFileSync(resolve, keeper);
afterAll(() => fs.rmSync(folder, { recursive: true }));

const client = useService({ environment: { CACHE_TAGS: 'true' }, plugins: { keeper: { resolve } } });
const run = async (usage: string) =>
  (await client.service.commands.find((command) => command.usage === usage)?.run({}))?.rows ?? [];

/** The tags of a response, whose first is that of every response; a slow one has none while permissions are new. */
async function tagsOf(address: string) {
  for (;;) {
    const { headers } = await request(client.service.url).get(address);
    if (headers['edge-tags'] !== undefined)
      return { tags: headers['edge-tags'].split('|'), deaf: headers['deaf-tags'] };
  }
}

test('a plugin gets the tags that responses have, in as few purges as its cache allows, and again if it refused them', async () => {
  const id = await client.create('tags', { name: 'one' });
  await declare(client.service, { public: ['api::tag.tag.findOne'] });
  const { tags, deaf } = await tagsOf(`/api/tags/${id}`);
  expect(deaf).toBe(tags.join(' '));

  await run('all');
  await run('asked');
  expect(await run('refuse')).toEqual([{ prefix: '/api' }]);
  await client.put(`/api/tags/${id}`, { name: 'two' });
  await run('all');
  const asked = (await run('asked')).map((row) => row['tags'] as readonly string[]);
  expect(asked.flat().filter((tag) => tags.slice(1).includes(tag))).not.toEqual([]);
  // Tags that are purged in the meantime can come before those that were refused.
  const [refused = [], ...again] = asked;
  expect(again.flat()).toEqual(expect.arrayContaining([...refused]));
  expect(Math.max(...asked.map(({ length }) => length))).toBe(2);
});

test('everything is purged on demand: one tag that each response has', async () => {
  await run('all');
  await run('asked');
  const { tags } = await tagsOf('/api/tags/1');
  expect(await run('all')).toEqual([{ isDone: true }]);
  expect((await run('asked')).at(-1)).toEqual({ tags: [tags[0]], isAborted: false });
});

test('two caches of one name are refused', async () => {
  const plugins = { keeper: { resolve, config: { name: 'deaf' } } };
  const options = { environment: { CACHE_TAGS: 'true' }, mongodbUri: process.env['TEST_MONGODB_URI'] ?? '' };
  await expect(createTestService({ ...options, plugins })).rejects.toThrow('Two caches have the name "deaf"');
});
