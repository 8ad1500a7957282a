import fs from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import request from 'supertest';
import type { Entries } from '../../src/documents/entries.js';
import type { Extension, ExtensionContext } from '../../src/plugins/contract/extension.js';
import { createTestService, type TestService } from '../../src/testing.js';

/** The examples of docs/extensions.md, on the sample content types. */
const page = fs.readFileSync('docs/extensions.md', 'utf8');
const examples = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);
const [, latestExample = ''] = /```json\n(.*?)```/s.exec(page) ?? [];
const [extensionExample = '', entriesExample = ''] = examples;

let service: TestService;
let received: ExtensionContext;
beforeAll(async () => {
  const names = namesIn(extensionExample);
  const load = `${extensionExample.replaceAll('export const', 'const')}; ({ ${names} });`;
  const extension = {
    ...(runInContext(load, createContext({ console })) as Extension),
    bootstrap: (context: ExtensionContext) => void (received = context),
  };
  const mongodbUri = process.env['TEST_MONGODB_URI'] ?? '';
  service = await createTestService({ contentTypes: 'content-types', mongodbUri, extension });
});
afterAll(() => service.close());

/** Runs an example with these names known to it; gives what its constants hold. */
async function run(code: string, globals: object): Promise<Record<string, any>> {
  const script = `(async () => { ${code}; return { ${namesIn(code)} }; })()`;
  return runInContext(script, createContext(globals)) as Promise<Record<string, any>>;
}

const namesIn = (code: string): string => [...code.matchAll(/const (\w+) =/g)].map(([, name]) => name).join();

const post = (path: string, data: object) =>
  request(service.url).post(path).auth(service.token, { type: 'bearer' }).send({ data });

test('the lifecycles, routes and guards of the page work', async () => {
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  const tag = await post('/api/tags', { name: '  Trimmed ' });
  expect(tag.body.data.attributes.name).toBe('Trimmed');
  expect(log.mock.calls).toMatchObject([[{ name: 'Trimmed' }]]);
  log.mockRestore();
  const latest = await request(service.url).get('/api/tags/latest').auth(service.token, { type: 'bearer' });
  expect(latest.body).toMatchObject({ name: 'Trimmed' });
  expect(Object.keys(latest.body)).toEqual(Object.keys(JSON.parse(latestExample)));
  expect((await post('/api/articles', { title: 'spam' })).status).toBe(403);
});

test('the examples of entries and files run', async () => {
  const entries: Entries = received.entries;
  const author = await entries.create('api::author.author', { name: 'Ida Holm', slug: 'ida-holm' });
  const article = await entries.create('api::article.article', { title: 'One', author: author.id });
  const createReadStream = () => fs.createReadStream('tests/fixtures/corpus/fixtures/wide.png');
  const found = await run(entriesExample, { entries, uploadFile: received.uploadFile, createReadStream });
  expect(found['recent']).toMatchObject([{ title: 'One' }]);
  expect(found['author']).toMatchObject({ id: author.id, articles: [{ title: 'One' }] });
  expect(await entries.findOne('api::author.author', author.id)).toMatchObject({ bio: 'Bakes.' });
  expect(await entries.findOne('api::article.article', article.id, { populate: 'cover' })).toMatchObject({
    cover: { id: found['cover'].id, alternativeText: 'a cat' },
  });
});
