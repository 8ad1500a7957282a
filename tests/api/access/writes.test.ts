import { beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare, publisher, type Permission } from '../../support/access.js';
import { usePeople, type AuthUser } from '../plugins/users-permissions/users-client.js';

const article = 'api::article.article';
let beforeUpdate: (() => Promise<unknown>) | undefined;
const people = usePeople({
  contentTypes: publisher,
  plugins: { i18n: { config: { locales: ['en', 'de'] } } },
  extension: {
    lifecycles: {
      [article]: {
        beforeUpdate: async () => {
          const run = beforeUpdate;
          beforeUpdate = undefined;
          await run?.();
        },
      },
    },
  },
});

let ann: AuthUser;
let bob: AuthUser;
const authors: number[] = [];

const own = { author: { user: { id: '$user.id' } } };
const role = (...permissions: readonly Permission[]): Promise<void> =>
  declare(people.service, { authenticated: permissions });
const stored = (id: number) => people.service.entries.findOne(article, id, { populate: ['author', 'related'] });
const put = async (id: number, data: object, { jwt }: AuthUser = ann) =>
  people.send('put', `/api/articles/${id}`, { data }, jwt);

async function create(author: number | undefined, data: object = {}): Promise<number> {
  const { id } = await people.service.entries.create(article, { title: 'Before', author, locale: 'en', ...data });
  return id;
}

beforeAll(async () => {
  [ann, bob] = [await people.register('ann'), await people.register('bob')];
  for (const { id: user, email } of [ann, bob]) {
    authors.push((await people.service.entries.create('api::author.author', { name: email, user })).id);
  }
  const limited = ['update', 'delete'].map((name) => ({ action: `${article}.${name}`, where: own }));
  await role(...limited, `${article}.find`, `${article}.findOne`);
});

test('an entry that does not match the rule is neither changed nor deleted, over REST and GraphQL', async () => {
  const [mine, other] = [await create(authors[0]), await create(authors[1])];
  expect((await put(mine, { title: 'After' })).status).toBe(200);
  expect((await put(other, { title: 'After' })).status).toBe(404);
  expect((await people.send('delete', `/api/articles/${other}`, undefined, ann.jwt)).status).toBe(404);
  const query = `mutation { updateArticle(id: ${other}, data: { title: "x" }) { data { id } } deleteArticle(id: ${other}) { data { id } } }`;
  const { body } = await people.send('post', '/graphql', { query }, ann.jwt);
  expect(body.data).toEqual({ updateArticle: { data: null }, deleteArticle: { data: null } });
  expect([(await stored(mine))['title'], (await stored(other))['title']]).toEqual(['After', 'Before']);
  expect((await people.send('delete', `/api/articles/${mine}`, undefined, ann.jwt)).status).toBe(200);
  // Reading is not limited.
  expect((await people.send('get', `/api/articles/${other}`, undefined, ann.jwt)).status).toBe(200);
});

test.each([
  ['scalars', () => ({ title: 'After' })],
  ['relations of the other side', () => ({ related: [], notes: [{ text: 'x' }] })],
])('an owner who loses the entry while their change of %s is on its way changes nothing', async (_, data) => {
  const id = await create(authors[0]);
  const transactions = people.service.database.db.collection('_transactions');
  beforeUpdate = () => people.service.entries.update(article, id, { author: authors[1] });
  expect((await put(id, data())).status).toBe(404);
  expect(await stored(id)).toMatchObject({ title: 'Before', author: { id: authors[1] } });
  expect(await transactions.countDocuments()).toBe(0);
});

test('a change by the owner and a concurrent change of the owner have the result of a serial order', async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 15; round += 1) {
    const id = await create(authors[0]);
    const [{ status }] = await Promise.all([
      put(id, { title: 'After', fee: round }),
      people.service.entries.update(article, id, { author: authors[1] }),
    ]);
    const { title, fee, author } = await stored(id);
    expect({ title, fee, author: (author as { id: number }).id }).toEqual(
      status === 200
        ? { title: 'After', fee: round, author: authors[1] }
        : { title: 'Before', fee: null, author: authors[1] },
    );
    outcomes.add(String(status));
  }
  expect([...outcomes].every((status) => ['200', '404'].includes(status))).toBe(true);
});

test('a new entry gets the values of the rule, overriding the data', async () => {
  const user = 'plugin::users-permissions.user';
  const { id: company } = await people.service.entries.create('api::company.company', { name: 'Press' });
  await people.service.entries.update(user, ann.id, { company });
  const set = { company: '$user.company.id', reviewer: '$user.id', section: 'news', expires: '$now' };
  await role({ action: `${article}.create`, set }, 'api::company.company.find');
  const data = { title: 'New', section: 'sport', company: 999, body: 'mine' };
  const post = (jwt: string) => people.send('post', '/api/articles', { data }, jwt);
  const { status, body } = await post(ann.jwt);
  expect([status, body.data.attributes.body]).toEqual([200, 'mine']);
  const created = await people.service.entries.findOne(article, body.data.id, { populate: ['company', 'reviewer'] });
  expect(created).toMatchObject({ company: { id: company }, reviewer: { id: ann.id }, section: 'news' });
  expect(created['expires']).toMatch(/^\d{4}-.*Z$/);
  const query = 'mutation { createArticle(data: { title: "x", section: sport }) { data { attributes { section } } } }';
  const mutation = await people.send('post', '/graphql', { query }, ann.jwt);
  expect(mutation.body.data.createArticle.data.attributes.section).toBe('news');
  const refused = await post(bob.jwt);
  expect(refused.status).toBe(403);
  expect(refused.body.error.message).toBe('A rule sets "company" to a value that this user does not have');
});

test('users change and delete only whom their rule names', async () => {
  const user = 'plugin::users-permissions.user';
  const where = { id: '$user.id' };
  await role(`${user}.findOne`, { action: `${user}.update`, where }, { action: `${user}.destroy`, where });
  const change = async (id: number) =>
    (await people.send('put', `/api/users/${id}`, { username: `name-${id}` }, ann.jwt)).status;
  expect([await change(ann.id), await change(bob.id)]).toEqual([200, 404]);
  await people.send('delete', `/api/users/${bob.id}`, undefined, ann.jwt);
  expect((await people.sendFreely('get', `/api/users/${bob.id}`)).body.username).toBe('bob');
});

test('a write by a key finds only entries that match the rule', async () => {
  await role(...['update', 'delete'].map((name) => ({ action: `${article}.${name}`, where: own })), `${article}.find`);
  const [mine, other] = [await create(authors[0], { serial: 'mine' }), await create(authors[1], { serial: 'other' })];
  const byKey = (method: 'put' | 'delete', path: string, data?: object) =>
    people.send(method, `/api/articles/by/serial/${path}`, data && { data }, ann.jwt);
  expect((await byKey('put', 'mine', { title: 'After' })).status).toBe(200);
  expect((await byKey('put', 'other', { title: 'After' })).status).toBe(404);
  expect((await byKey('delete', 'other')).status).toBe(404);
  expect((await byKey('put', 'new?upsert=true', { title: 'After' })).status).toBe(403);
  expect([(await stored(mine))['title'], (await stored(other))['title']]).toEqual(['After', 'Before']);
  expect((await byKey('delete', 'mine')).status).toBe(200);
});

test('a repeated request does not show what the caller may no longer read', async () => {
  const post = (key: string) =>
    request(people.service.url)
      .post('/api/articles')
      .auth(ann.jwt, { type: 'bearer' })
      .set('Idempotency-Key', key)
      .send({ data: { title: 'Once', body: 'secret' } });
  await role(`${article}.create`, `${article}.findOne`);
  const first = await post('rights');
  expect(first.body.data.attributes.body).toBe('secret');
  expect((await post('rights')).text).toBe(first.text);
  await role(`${article}.create`, { action: `${article}.findOne`, fields: ['-body'] });
  const repeated = await post('rights');
  expect([repeated.status, repeated.text.includes('secret')]).toEqual([422, false]);
  await role(`${article}.create`, `${article}.findOne`);
  expect((await post('rights')).text).toBe(first.text);
});
