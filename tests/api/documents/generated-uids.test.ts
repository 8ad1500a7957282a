import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { createTestService } from '../../../src/testing.js';
import { monitoredUri } from '../../support/commands.js';
import { useService } from '../../support/service.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'content-service-uids-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const slug = { type: 'uid', targetField: 'title', generate: true };
const note = {
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  options: { draftAndPublish: true },
  pluginOptions: { i18n: { localized: true } },
  attributes: {
    title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
    slug: { ...slug, required: true, maxLength: 20 },
    plain: { type: 'uid', targetField: 'title' },
  },
};
writeFileSync(path.join(folder, 'note.json'), JSON.stringify(note));
const client = useService({ contentTypes: folder, plugins: { i18n: { config: { locales: ['en', 'de'] } } } });

const slugOf = async (data: object): Promise<unknown> =>
  (await client.post('/api/notes', data)).body.data.attributes.slug;

test('a missing uid is generated from its target field, with a suffix if it is taken', async () => {
  expect(await slugOf({ title: 'On Bread & Salt' })).toBe('on-bread-and-salt');
  expect(await slugOf({ title: 'On Bread & Salt' })).toBe('on-bread-and-salt-1');
  expect(await slugOf({ title: 'On Bread & Salt', slug: null })).toBe('on-bread-and-salt-2');
  expect(await slugOf({ title: 'On Bread & Salt', slug: 'mine' })).toBe('mine');
  expect(await slugOf({ title: 'A title that is far too long' })).toBe('a-title-that-is-far-');
  expect(await slugOf({ title: 'A title that is far too long' })).toBe('a-title-that-is-fa-1');
  expect(await slugOf({ title: '???' })).toBe('note');
});

test('uids of a batch are numbered in the order of its operations', async () => {
  const operations = Array.from({ length: 6 }, () => ({ create: 'notes', data: { title: 'Together' } }));
  const response = await fetch(`${client.service.url}/api/batch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${client.service.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ operations }),
  });
  const { data } = (await response.json()) as { data: readonly { attributes: { slug: string } }[] };
  const numbered = [1, 2, 3, 4, 5].map((number) => `together-${number}`);
  expect(data.map(({ attributes }) => attributes.slug)).toEqual(['together', ...numbered]);
});

test('no uid is generated without generate: true, without a target value, or by an update', async () => {
  const { body } = await client.post('/api/notes', { title: 'Plain' });
  expect(body.data.attributes.plain).toBeNull();
  expect((await client.post('/api/notes', {})).body.error.message).toBe('slug must be defined.');
  const draft = await client.post('/api/notes', { publishedAt: null });
  expect(draft.body.data.attributes.slug).toBeNull();
  const changed = await client.put(`/api/notes/${draft.body.data.id}`, { title: 'Later' });
  expect(changed.body.data.attributes.slug).toBeNull();
});

test('other errors are reported together, and a written uid that is taken is refused', async () => {
  const wrong = await client.post('/api/notes', { title: 5 });
  expect(wrong.body.error.details.errors.map(({ path }: { path: string[] }) => path)).toContainEqual(['title']);
  await client.post('/api/notes', { title: 'Given', slug: 'given' });
  const taken = await client.post('/api/notes', { title: 'Given', slug: 'given' });
  expect(taken.body.error.message).toBe('This attribute must be unique');
});

test('a localization gets a uid of its own', async () => {
  const id = await client.create('notes', { title: 'Haus' });
  const response = await fetch(`${client.service.url}/api/notes/${id}/localizations`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${client.service.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: 'Haus', locale: 'de' }),
  });
  expect((await response.json()) as object).toMatchObject({ slug: 'haus-1', locale: 'de' });
});

test('uids are also generated over GraphQL and for project code', async () => {
  const { body } = await client.graphql(
    'mutation { createNote(data: { title: "By query" }) { data { attributes { slug } } } }',
  );
  expect(body.data.createNote.data.attributes.slug).toBe('by-query');
  expect(await client.service.entries.create('api::note.note', { title: 'By code' })).toMatchObject({
    slug: 'by-code',
  });
});

test('concurrent writers get different uids', async () => {
  const slugs = await Promise.all(Array.from({ length: 12 }, () => slugOf({ title: 'Race' })));
  expect(new Set(slugs).size).toBe(12);
  for (const one of slugs) expect(one).toMatch(/^race(?:-\w+)?$/);
});

test.each([
  [
    'without a target field',
    'note.json',
    { ...note, attributes: { slug: { type: 'uid', generate: true } } },
    'needs a targetField',
  ],
  [
    'in a component',
    'components/shared/link.json',
    { info: { displayName: 'Link' }, attributes: { title: { type: 'string' }, slug } },
    'has no effect in components',
  ],
])('the start fails if generate is %s', async (_, file, definition, message) => {
  const broken = mkdtempSync(path.join(folder, '..', 'content-service-uids-'));
  mkdirSync(path.join(broken, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(broken, file), JSON.stringify(definition));
  await expect(createTestService({ contentTypes: broken, mongodbUri: monitoredUri() })).rejects.toThrow(message);
});
