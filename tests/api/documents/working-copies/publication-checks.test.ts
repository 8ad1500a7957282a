import { beforeEach, expect, test } from '@jest/globals';
import { useService, type Answer } from '../../../support/service.js';

const client = useService({
  contentTypes: 'tests/api/documents/working-copies/content-types',
  plugins: { i18n: { config: { locales: ['en', 'de'] } } },
});

let author: number;
let complete: object;
beforeEach(async () => {
  author = await client.create('authors', { name: 'Ada' });
  complete = { title: 'Story', author, parts: [{ text: 'one', source: author, inner: { text: 'x' } }] };
});

const pathsOf = ({ status, body }: Answer): unknown => [
  status,
  body.error?.details.errors?.map(({ path }: { readonly path: readonly string[] }) => path.join('.')),
];
const publish = (id: number, data: object = {}): Promise<Answer> =>
  client.put(`/api/stories/${id}?status=published`, data);
const save = async (id: number, data: object): Promise<Answer> => {
  const answer = await client.put(`/api/stories/${id}?status=draft`, data);
  expect(answer.status).toBe(200);
  return answer;
};
const partsOf = async (id: number): Promise<readonly { readonly id: number }[]> =>
  (await client.get(`/api/stories/${id}?status=draft&populate=parts`)).body.data.attributes.parts;

test('a publication needs required relations, of the entry and of its components, but no files', async () => {
  const { body } = await client.post('/api/stories?status=draft', { parts: [{ inner: {} }] });
  const id = body.data.id as number;
  expect(pathsOf(await publish(id))).toEqual([
    400,
    ['title', 'author', 'parts.0.text', 'parts.0.source', 'parts.0.inner.text'],
  ]);
  expect(pathsOf(await publish(id, complete))).toEqual([200, undefined]);
});

test.each(['title', 'parts'])('a copy of a complete entry that changes its %s is published', async (name) => {
  const id = await client.create('stories', complete);
  const [part] = await partsOf(id);
  await save(id, name === 'title' ? { title: 'Changed' } : { parts: [{ ...part, text: 'changed' }] });
  expect(pathsOf(await publish(id))).toEqual([200, undefined]);
});

test('what the request of a publication adds counts, and what it takes away', async () => {
  const id = await client.create('stories', complete);
  const [part] = await partsOf(id);
  await save(id, { title: null, author: null, parts: [{ id: part?.id, text: null, source: null }] });
  const parts = [{ id: part?.id, text: 'two' }];
  expect(pathsOf(await publish(id, { title: 'Two', parts }))).toEqual([400, ['author', 'parts.0.source']]);
  const added = [
    { id: part?.id, source: author },
    { text: 'three', source: author },
  ];
  expect(pathsOf(await publish(id, { title: 'Two', author, parts: added }))).toEqual([400, ['parts.0.text']]);
  const both = [{ id: part?.id, text: 'two', source: author }];
  expect(pathsOf(await publish(id, { title: 'Two', author, parts: both }))).toEqual([200, undefined]);
  expect(pathsOf(await publish(id, { title: null }))).toEqual([400, ['title']]);
});
