import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { useService } from '../../support/service.js';

const contentTypes = fs.mkdtempSync(path.join(os.tmpdir(), 'blocks-'));
const parts = { text: { type: 'blocks' } };
const info = { singularName: 'story', pluralName: 'stories', displayName: 'Story' };
const attributes = { ...parts, part: { type: 'component', component: 'shared.part' } };
fs.mkdirSync(path.join(contentTypes, 'components', 'shared'), { recursive: true });
fs.writeFileSync(
  path.join(contentTypes, 'components', 'shared', 'part.json'),
  JSON.stringify({ collectionName: 'parts', info: { displayName: 'Part' }, attributes: parts }),
);
fs.writeFileSync(
  path.join(contentTypes, 'story.json'),
  JSON.stringify({ kind: 'collectionType', collectionName: 'stories', info, attributes }),
);
afterAll(() => fs.rmSync(contentTypes, { recursive: true }));
const client = useService({ contentTypes });

const text = { type: 'text', text: 'a', bold: true };
const children = [text];
const link = { type: 'link', url: 'https://example.org', children };
const file = {
  ...Object.fromEntries(
    ['name', 'url', 'hash', 'ext', 'mime', 'provider', 'createdAt', 'updatedAt'].map((name) => [name, 'x']),
  ),
  width: 1,
  height: 1,
  size: 1,
  formats: {},
  alternativeText: null,
  provider_metadata: { id: 1 },
};
const list = { type: 'list', format: 'ordered', children: [{ type: 'list-item', children }] };
const within = (levels: number): object => (levels === 0 ? list : { ...list, children: [within(levels - 1)] });

test.each<[string, unknown]>([
  ['nothing', null],
  ['an empty list', []],
  ['a paragraph with a link', [{ type: 'paragraph', children: [text, link, { ...link, url: '/about' }], indent: 1 }]],
  [
    'headings and a quote',
    [
      { type: 'heading', level: 6, children },
      { type: 'quote', children },
    ],
  ],
  ['lists within lists', [within(3)]],
  [
    'code',
    [
      { type: 'code', syntax: null, children },
      { type: 'code', children },
    ],
  ],
  ['an image', [{ type: 'image', image: file, children: [] }]],
])('blocks can be %s', async (_name, blocks) => {
  const { status, body } = await client.post('/api/stories?populate=part', { text: blocks, part: { text: blocks } });
  expect([status, body.data.attributes]).toMatchObject([200, { text: blocks, part: { text: blocks } }]);
});

const invalid = 'Block node is of invalid type';
test.each<[unknown, string, string]>([
  ['text', 'text', 'text must be a `array` type, but the final value was: `"text"`.'],
  [{ a: 1 }, 'text', 'text must be a `array` type, but the final value was: `{\n  "a": "1"\n}`.'],
  [[null], 'text.0', invalid],
  [['a'], 'text.0', invalid],
  [[{ type: 'table', children }], 'text.0', invalid],
  [[{ children }], 'text.0', invalid],
  [[{ type: 'paragraph' }], 'text.0.children', 'text[0].children is a required field'],
  [
    [{ type: 'paragraph', children: [] }],
    'text.0.children',
    'Paragraph node children must have at least one Text or Link node',
  ],
  [[{ type: 'quote', children: [list] }], 'text.0.children.0', 'Inline node must be Text or Link'],
  [
    [{ type: 'quote', children: [{ type: 'text' }] }],
    'text.0.children.0.text',
    'Text must be defined with at least an empty string',
  ],
  [[{ type: 'quote', children: [{ ...link, url: 'a b' }] }], 'text.0.children.0.url', 'Please specify a valid link.'],
  [[{ type: 'code', children: [link] }], 'text.0.children.0', 'Inline node must be Text'],
  [[{ ...list, children: [text] }], 'text.0.children.0', 'Inline node must be list-item or list'],
  [
    [{ type: 'image', image: { ...file, hash: '' }, children }],
    'text.0.image.hash',
    'text[0].image.hash is a required field',
  ],
])('%j is refused everywhere', async (blocks, where, message) => {
  const issue = { path: where.split('.'), message };
  const { status, body } = await client.post('/api/stories', { text: blocks });
  expect([status, body.error.details.errors]).toEqual([400, [expect.objectContaining(issue)]]);
  const nested = await client.post('/api/stories', { part: { text: blocks } });
  expect([nested.status, nested.body.error.details.errors[0].path]).toEqual([400, ['part', ...issue.path]]);
  const mutation = 'mutation ($text: JSON) { createStory(data: { text: $text }) { data { id } } }';
  const { body: answer } = await client.graphql(mutation, { text: blocks });
  expect(answer.errors[0].extensions.error.details.errors).toEqual([expect.objectContaining(issue)]);
  const { entries } = client.service;
  await expect(entries.create('api::story.story', { text: blocks })).rejects.toMatchObject({ code: 'validation' });
});

test('blocks that nest too deep are refused', async () => {
  expect((await client.post('/api/stories', { text: [within(2000)] })).status).toBe(400);
});
