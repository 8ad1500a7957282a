import { beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { commandsOf } from '../../../support/commands.js';
import { useService } from '../../../support/service.js';
import { createMany } from './related.js';

const client = useService({ configure: (config) => ({ ...config, limits: { ...config.limits, relations: 2000 } }) });
const { create, get, post, put } = client;
let tags: readonly number[] = [];
let author = 0;
let article = 0;
let card = 0;

const components = () => ({
  seo: { metaTitle: 'x', openGraph: { ogTitle: 'y' } },
  links: [{ label: 'a' }, { label: 'b' }],
  blocks: [{ __component: 'blocks.quote', text: 'q', source: author, mentions: tags }],
});

beforeAll(async () => {
  tags = await createMany(client, 'tags', 3, (index) => ({ name: `Tag ${index}` }));
  author = await create('authors', { name: 'Ada' });
  card = await create('seo-cards', { headline: 'Card' });
  article = await create('articles', { title: 'Kept', tags, author, ...components() });
});

/** Each is a way to the database and back. `update` at the end of a write raises the versions of the types. */
test.each<readonly [string, () => PromiseLike<unknown>, string]>([
  ['create', () => post('/api/articles', { title: 'New' }), 'findAndModify insert update'],
  [
    'create with components',
    () => post('/api/articles', { title: 'New', seo: { metaTitle: 'x' }, links: [{ label: 'a' }] }),
    'findAndModify insert update',
  ],
  [
    'create with relations and components, which looks at their targets before and after',
    () => post('/api/articles', { title: 'New', tags, author, ...components() }),
    'aggregate findAndModify insert update aggregate',
  ],
  ['update, which reads its answer', () => put(`/api/articles/${article}`, { title: 'Other' }), 'update update find'],
  [
    'update of relations and components, which reads what it changes',
    () => put(`/api/articles/${article}`, { title: 'x', tags, author, ...components() }),
    'aggregate findAndModify find update update aggregate find',
  ],
  [
    'takeover, a transaction',
    () => put(`/api/articles/${article}`, { seoCard: card }),
    'aggregate findAndModify find update findAndModify findAndModify find insert find update update update update update delete delete find',
  ],
  [
    'takeover from the other side',
    () => put(`/api/seo-cards/${card}`, { article }),
    'aggregate find update findAndModify findAndModify find findAndModify insert find update update update update update update delete delete find',
  ],
  [
    'batch of creates, which share commands',
    () => {
      const operations = [1, 2, 3].map(() => ({ create: 'articles', data: { title: 'New' } }));
      return request(client.service.url)
        .post('/api/batch')
        .auth(client.service.token, { type: 'bearer' })
        .send({ operations });
    },
    'findAndModify update insert insert update update update delete delete',
  ],
  [
    'batch of creates with links, which share them too',
    () => {
      const operations = [1, 2, 3].map(() => ({ create: 'articles', data: { title: 'New', tags, author } }));
      return request(client.service.url)
        .post('/api/batch')
        .auth(client.service.token, { type: 'bearer' })
        .send({ operations });
    },
    'findAndModify update insert aggregate findAndModify insert aggregate update update update delete delete',
  ],
  ['read', () => get(`/api/articles/${article}`), 'find'],
])('the database commands of a %s are the expected ones', async (_, work, expected) => {
  expect((await commandsOf(client.service, async () => await work())).join(' ')).toBe(expected);
});

test('links stored on the other side are written in batches of 1,000', async () => {
  const owners = await createMany(client, 'articles', 1001, (index) => ({ title: `Owner ${index}` }));
  const commands = await commandsOf(client.service, async () => {
    expect((await put(`/api/authors/${author}`, { articles: owners })).status).toBe(200);
  });
  // None for each entry: they are locked, changed and unlocked together.
  expect(commands.length).toBeLessThan(30);
});
