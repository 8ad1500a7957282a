import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { useService } from '../../../support/service.js';

/** Keeps the names of tags, as far as it has heard of them, and what it has heard. */
const listener = `
module.exports = () => {
  let entries;
  const [heard, names] = [[], new Map()];
  return {
    name: 'listener',
    start: async (context) => {
      entries = context.entries;
      await entries.create('api::tag.tag', { name: 'before' });
    },
    onChanges: async (changes) => {
      heard.push(...changes);
      for (const { type, id } of changes) {
        if (type !== 'api::tag.tag' || id === undefined) continue;
        const tag = await entries.findMany(type, { filters: { id } });
        names.set(id, tag[0]?.name);
        if (tag[0]?.name === 'refused') throw new Error('refused');
      }
    },
    commands: [
      { usage: 'heard', description: 'what it has heard', run: async () => ({ rows: heard.splice(0) }) },
      { usage: 'names', description: 'the names that it keeps', run: async () => ({ rows: [...names.values()].map((name) => ({ name })) }) },
    ],
  };
};`;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'on-changes-'));
const resolve = path.join(folder, 'listener.cjs');
fs.writeFileSync(resolve, listener);
afterAll(() => fs.rmSync(folder, { recursive: true }));

const client = useService({ plugins: { listener: { resolve } } });
const run = async (usage: string) =>
  (await client.service.commands.find((command) => command.usage === usage)?.run({}))?.rows ?? [];
/** The types and ids that it has heard since it was asked before, each once. */
const heard = async (): Promise<readonly string[]> =>
  [...new Set((await run('heard')).map(({ type, id }) => `${String(type)} ${String(id)}`))].toSorted();
beforeEach(() => run('heard'));

test('it does not hear what it writes in `start`', async () => {
  expect(await run('names')).toEqual([]);
});

test('when a client has its answer, a plugin has heard of the write and found it stored', async () => {
  const id = await client.create('tags', { name: 'first' });
  expect(await heard()).toEqual([`api::tag.tag ${id}`]);
  expect(await run('names')).toEqual([{ name: 'first' }]);
  await client.put(`/api/tags/${id}`, { name: 'second' });
  expect(await heard()).toEqual([`api::tag.tag ${id}`]);
  expect(await run('names')).toEqual([{ name: 'second' }]);
  await client.delete(`/api/tags/${id}`);
  expect(await heard()).toEqual([`api::tag.tag ${id}`]);
  expect(await run('names')).toEqual([{ name: undefined }]);
});

test('it hears of entries that lose a reference to a deleted one', async () => {
  const tag = await client.create('tags', { name: 'referenced' });
  const article = await client.create('articles', { title: 'One', tags: [tag] });
  await heard();
  await client.delete(`/api/tags/${tag}`);
  expect(await heard()).toEqual([
    expect.stringMatching(`^api::article.article (${article}|undefined)$`),
    `api::tag.tag ${tag}`,
  ]);
});

test('its error leaves the write as it is', async () => {
  const id = await client.create('tags', { name: 'refused' });
  expect(await heard()).toEqual([`api::tag.tag ${id}`]);
  expect((await client.get(`/api/tags/${id}`)).status).toBe(200);
});
