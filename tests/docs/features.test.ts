import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { afterEach, expect, test } from '@jest/globals';
import request from 'supertest';
import type { Extension } from '../../src/plugins/contract/extension.js';
import { headersOf } from '../../src/plugins/webhooks/webhook.js';
import { createTestService, type TestService } from '../../src/testing.js';
import { startS3 } from '../api/plugins/upload/stores.js';
import { corpus } from '../support/service.js';
import { useProjects, type OwnProject } from './own-project.js';
import { runPage } from './run-page.js';

/** The pages about parts of the API, done as they stand, each in a project of its own. */
const project = useProjects();
const read = (page: string): string => readFileSync(`docs/${page}`, 'utf8');
const token = 'at-least-sixteen-characters';

/** A token that may do everything. */
function openUp(own: OwnProject): OwnProject {
  own.environment['MY_TOKEN'] = token;
  own.write('content-types/access.json', { tokens: { me: { type: 'full-access', key: { env: 'MY_TOKEN' } } } });
  return own;
}

test('the examples of docs/i18n.md work', async () => {
  const own = openUp(project());
  own.environment['TOKEN'] = token;
  // The files that it shows come before it starts.
  const page = read('i18n.md').replace('## Read', '```sh\nnpx content-service start\n```\n\n## Read');
  const { wrong, ran } = await runPage(page, own);
  expect(wrong).toEqual([]);
  expect(ran).toBe(3);
});

/** The names in the plugins files beside their settings. */
const named = { S3_KEY: 'S3RVER', S3_SECRET: 'S3RVER' };

test.each([['upload.md', 1]])('a project starts with the plugins files of docs/%s (%d)', async (page, count) => {
  const files = [...read(page).matchAll(/```js\n(\/\/ config\/plugins\.js\n.*?)```/gs)].map(([, code = '']) => code);
  expect(files).toHaveLength(count);
  const bucket = await startS3();
  try {
    for (const code of files) {
      const own = project('content-types');
      Object.assign(own.environment, named);
      own.write(
        'config/plugins.js',
        code.replace("// Of other stores than Amazon's: endpoint: 'https://…'", `endpoint: '${bucket.endpoint}'`),
      );
      await own.start();
    }
  } finally {
    await bucket.stop();
  }
});

test('the receiver of docs/events.md accepts what the service signs, and nothing else', async () => {
  const own = project();
  own.write('genuine.mjs', /```js\n(import \{ createHmac.*?)```/s.exec(read('events.md'))?.[1] ?? '');
  const { isGenuine } = (await import(path.join(own.folder, 'genuine.mjs'))) as {
    isGenuine: (headers: object, body: string, secret: string) => boolean;
  };
  const now = Date.now();
  const signed = (at: number, body = '{}'): Record<string, string> => {
    const delivery = { _id: '1', event: 'entry.create', body } as const;
    const headers = headersOf({ headers: {}, secret: 'secret' }, delivery, {}, new Date(at));
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  };
  expect([
    isGenuine(signed(now), '{}', 'secret'),
    isGenuine(signed(now), '{ }', 'secret'),
    isGenuine(signed(now - 600_000), '{}', 'secret'),
  ]).toEqual([true, false, false]);
});

const quiet = { log: () => undefined, time: () => undefined, timeEnd: () => undefined };
let service: TestService | undefined;
afterEach(() => service?.close());

test('the query of docs/aggregation.md works', async () => {
  const [, query = ''] = /```graphql\n(.*?)```/s.exec(read('aggregation.md')) ?? [];
  const plugins = { graphql: { config: { aggregation: true } } };
  const mongodbUri = process.env['TEST_MONGODB_URI'] ?? '';
  service = await createTestService({ contentTypes: 'content-types', mongodbUri, plugins });
  const author = await service.entries.create('api::author.author', { name: 'Ada' });
  const data = {
    slug: 'a',
    title: 'A',
    kind: 'essay',
    publishedOn: '2026-02-03',
    readingMinutes: 3,
    author: author.id,
  };
  await service.entries.create('api::article.article', { ...data, publishedAt: new Date().toISOString() });
  const { body } = await request(service.url).post('/graphql').auth(service.token, { type: 'bearer' }).send({ query });
  expect(body).toEqual({
    data: {
      articles_aggregate: {
        data: [{ key: { author: { name: 'Ada' }, publishedOn: '2026' }, count: 1, sum: { readingMinutes: 3 } }],
        meta: { overlapping: [], pagination: { total: 1 } },
      },
    },
  });
});

test('the extension of docs/graphql.md works', async () => {
  const blocks = [...read('graphql.md').matchAll(/```js\n(?!\/\/ config)(.*?)```/gs)].map(([, code = '']) => code);
  const [register = '', crud = '', types = '', guards = '', named = ''] = blocks;
  expect(blocks).toHaveLength(5);
  const code = `${register.replace('// …', `${crud}\n${types}\n${guards}`)}\n${named}`.replaceAll(
    'export const',
    'const',
  );
  const extension = runInContext(
    `${code}; ({ register, policies, middlewares })`,
    createContext({ console: quiet }),
  ) as Extension;
  const mongodbUri = process.env['TEST_MONGODB_URI'] ?? '';
  service = await createTestService({ contentTypes: corpus, mongodbUri, extension });
  const ask = async (query: string) => {
    const answer = await request(service?.url ?? '')
      .post('/graphql')
      .auth(service?.token ?? '', { type: 'bearer' })
      .send({ query });
    return answer.body as unknown;
  };
  await service.entries.create('api::article.article', { title: 'On good bread', slug: 'bread' });
  expect(await ask('{ weather(city: "Ys") { city degrees } book { title } }')).toEqual({
    data: { weather: { city: 'Ys', degrees: 21.5 }, book: { title: 'Bread' } },
  });
  expect(await ask('{ article(slug: "bread") { data { attributes { title words } } } }')).toEqual({
    data: { article: { data: { attributes: { title: 'On good bread', words: 3 } } } },
  });
  expect(await ask('mutation { deleteTag(id: 1) { data { id } } }')).toMatchObject({
    errors: [{ message: expect.stringContaining('deleteTag') }],
  });
});
