import { beforeAll, expect, test } from '@jest/globals';
import { declare, publisher, type Permission } from '../../support/access.js';
import { usePeople, type AuthUser } from '../plugins/users-permissions/users-client.js';

const people = usePeople({ contentTypes: publisher, plugins: { i18n: { config: { locales: ['en', 'de'] } } } });
const article = 'api::article.article';
const own = { author: { user: { id: { $eq: '$user.id' } } } };
const reading = (where: object): Permission[] => [
  { action: `${article}.find`, where },
  { action: `${article}.findOne`, where },
];
const others = ['api::author.author.find', 'api::category.category.find', 'api::homepage.homepage.find'];

let ann: AuthUser;
let bob: AuthUser;
const ids: Record<string, number> = {};

const create = async (uid: string, data: object): Promise<number> =>
  (await people.service.entries.create(uid, data as Readonly<Record<string, unknown>>)).id;
const get = async (path: string, { jwt }: AuthUser = ann) => (await people.send('get', path, undefined, jwt)).body;
const graphql = async (query: string, { jwt }: AuthUser = ann) =>
  (await people.send('post', '/graphql', { query }, jwt)).body;
const titles = (body: { data: { attributes: { title: string } }[] }): string[] =>
  body.data.map(({ attributes }) => attributes.title).toSorted();

beforeAll(async () => {
  const company = await create('api::company.company', { name: 'Press' });
  [ann, bob] = [await people.register('ann'), await people.register('bob')];
  await people.service.entries.update('plugin::users-permissions.user', ann.id, { company });
  const publishedAt = '2024-01-01T00:00:00.000Z';
  const category = await create('api::category.category', { name: 'World', editors: [ann.id] });
  for (const { id: user, email } of [ann, bob]) {
    const name = email.split('@')[0] ?? '';
    const author = await create('api::author.author', { name, user, phone: '1' });
    const links = Object.values(ids).map((id) => ({ __type: article, id }));
    const data = {
      title: `By ${name}`,
      serial: name,
      author,
      category,
      publishedAt,
      links,
      locale: 'en',
      body: `text of ${name}`,
    };
    const related = Object.values(ids);
    ids[name] = await create(article, { ...data, related, notes: related.map((about) => ({ text: 'n', about })) });
  }
  ids['free'] = await create(article, {
    title: 'By nobody',
    serial: 'free',
    publishedAt,
    company,
    related: [ids['bob']],
    links: [{ __type: article, id: ids['bob'] }],
    notes: [{ text: 'x', about: ids['bob'] }],
    blocks: [{ __component: 'article.note', text: 'x', about: ids['bob'] }],
    fee: 5,
  });
  await create('api::homepage.homepage', { headline: 'Home', featured: ids['bob'] });
});

const role = (permissions: readonly Permission[]): Promise<void> =>
  declare(people.service, { authenticated: permissions });

test('lists, totals, single entries and searches show what matches the rule', async () => {
  await role([...reading(own), ...others]);
  const { data, meta } = await get('/api/articles');
  expect([titles({ data }), meta.pagination.total]).toEqual([['By ann'], 1]);
  expect(titles(await get('/api/articles', bob))).toEqual(['By bob']);
  expect(titles(await get('/api/articles?_q=text'))).toEqual(['By ann']);
  expect((await get(`/api/articles/${ids['bob']}`)).error.status).toBe(404);
  expect((await get(`/api/articles/${ids['ann']}`)).data.attributes.title).toBe('By ann');
  const query = `{ articles { data { id } meta { pagination { total } } } article(id: ${ids['bob']}) { data { id } } }`;
  expect((await graphql(query)).data).toEqual({
    articles: { data: [{ id: String(ids['ann']) }], meta: { pagination: { total: 1 } } },
    article: { data: null },
  });
});

test('counts follow the rule of lists, reads by a unique value that of single entries', async () => {
  const where = { author: { id: { $null: true } } };
  await role([{ action: `${article}.find`, where: own }, { action: `${article}.findOne`, where }, ...others]);
  expect(await get('/api/articles/count')).toEqual({ data: { count: 1 } });
  expect((await get('/api/articles/by/serial/free')).data.id).toBe(ids['free']);
  expect((await get('/api/articles/by/serial/ann')).error.status).toBe(404);
});

test('relations in dynamic zones are filtered by as if other entries did not exist', async () => {
  const on = 'filters[blocks][$on][article.note][about]';
  const found = async (filter: string): Promise<readonly string[]> => titles(await get(`/api/articles?${filter}`));
  await role([...reading({ $or: [own, { author: { id: { $null: true } } }] }), ...others]);
  expect(await found(`${on}[title]=By bob`)).toEqual([]);
  expect(await found(`${on}[title][$null]=true`)).toEqual(['By ann', 'By nobody']);
  await role([`${article}.find`, ...others]);
  expect(await found(`${on}[title]=By bob`)).toEqual(['By nobody']);
});

test('relations are shown, filtered and sorted by as if other entries did not exist', async () => {
  await role([...reading({ $or: [own, { author: { id: { $null: true } } }] }), ...others]);
  const free = await get(`/api/articles/${ids['free']}?populate=related,notes.about,blocks.about,links`);
  const { related, notes, blocks, links } = free.data.attributes;
  expect([related.data, notes[0].about.data, blocks[0].about.data, links]).toEqual([[], null, null, undefined]);
  expect((await get('/api/homepage?populate=featured')).data.attributes.featured.data).toBeNull();
  const authors = await get('/api/authors?populate[articles][fields]=title&sort=id');
  const listed = authors.data.map(({ attributes }: any) => titles(attributes.articles)); // oxlint-disable-line typescript/no-explicit-any
  expect(listed).toEqual([['By ann'], []]);
  expect((await get('/api/authors?filters[articles][title][$startsWith]=By')).meta.pagination.total).toBe(1);
  expect((await get('/api/authors?filters[articles][title][$null]=true')).meta.pagination.total).toBe(1);
  expect((await get('/api/articles?filters[related][title]=By bob')).data).toEqual([]);
  const { data } = await graphql(
    '{ authors(sort: "id", filters: { articles: { title: { contains: "b" } } }) { data { attributes { articles { data { id } } } } } }',
  );
  expect(data.authors.data).toEqual([]);
});

test('a sort through a relation does not see hidden entries', async () => {
  await role([`${article}.find`, { action: 'api::author.author.find', where: { name: 'ann' } }]);
  const { data } = await get('/api/articles?sort=author.name:desc&sort=id&fields=title');
  const sorted = data.map(({ attributes }: { attributes: { title: string } }) => attributes.title);
  expect(sorted).toEqual(['By ann', 'By bob', 'By nobody']);
});

test('a variable without a value matches nothing, even negated, and null is no value', async () => {
  await role(reading({ company: { id: { $eq: '$user.company.id' } } }));
  expect([titles(await get('/api/articles')), titles(await get('/api/articles', bob))]).toEqual([['By nobody'], []]);
  await role(reading({ $not: { company: { id: { $eq: '$user.company.id' } } } }));
  expect(titles(await get('/api/articles', bob))).toEqual([]);
  await role(reading({ $or: [{ company: { id: '$user.company.id' } }, { fee: { $null: true } }] }));
  expect(titles(await get('/api/articles', bob))).toEqual(['By ann', 'By bob']);
});

test('several rules for one action are united, and one without a condition allows all', async () => {
  const only = (title: string): Permission => ({ action: `${article}.find`, where: { title } });
  await role([only('By ann'), only('By nobody')]);
  expect(titles(await get('/api/articles'))).toEqual(['By ann', 'By nobody']);
  await role([only('By ann'), `${article}.find`]);
  expect(titles(await get('/api/articles'))).toHaveLength(3);
});

test('public callers and tokens have rules, with the time of the request', async () => {
  await people.service.entries.update(article, Number(ids['free']), { expires: '2999-01-01T00:00:00Z' });
  const where = { expires: { $gt: '$now' } };
  await declare(people.service, { public: reading(where) }, { app: reading({ fee: { $lt: 5 } }) });
  expect(titles((await people.send('get', '/api/articles')).body)).toEqual(['By nobody']);
  const withToken = await people.send('get', '/api/articles', undefined, 'key-of-the-token-app');
  expect(withToken.body.data).toEqual([]);
});

test('an entry that is not read is neither changed, deleted, localized nor given a file', async () => {
  const writes = ['update', 'delete', 'createLocalization'].map((name) => `${article}.${name}`);
  await role([...reading(own), ...writes, 'plugin::upload.content-api.upload']);
  const path = `/api/articles/${ids['bob']}`;
  const data = { title: 'Taken' };
  expect((await people.send('put', path, { data }, ann.jwt)).status).toBe(404);
  expect((await people.send('delete', path, undefined, ann.jwt)).status).toBe(404);
  expect((await people.send('post', `${path}/localizations`, { ...data, locale: 'de' }, ann.jwt)).status).toBe(404);
  const mutation = `mutation { updateArticle(id: ${ids['bob']}, data: { title: "x" }) { data { id } } }`;
  expect((await graphql(mutation)).data.updateArticle.data).toBeNull();
  expect((await people.send('put', `/api/articles/${ids['ann']}`, { data: { fee: 2 } }, ann.jwt)).status).toBe(200);
  const stored = await people.service.entries.findOne(article, Number(ids['bob']));
  expect([stored['title'], stored['fee']]).toEqual(['By bob', null]);
});

test('connecting a hidden entry has the same response as connecting one that does not exist', async () => {
  const writes = ['create', 'update'].map((name) => `${article}.${name}`);
  await role([...reading(own), ...writes]);
  const write = async (data: object) => {
    const { status, body } = await people.send('put', `/api/articles/${ids['ann']}`, { data }, ann.jwt);
    return JSON.parse(
      JSON.stringify([status, body.error ?? 'done']).replaceAll(new RegExp(`\\b(?:999|${bob})\\b`, 'g'), 'X'),
    ) as unknown;
  };
  const bob = ids['bob'];
  const position = (id: unknown) => ({ connect: [{ id: ids['ann'], position: { before: id } }] });
  const ways: readonly ((id: unknown) => object)[] = [
    (id) => ({ related: [id] }),
    (id) => ({ related: { connect: [{ id }] }, section: 'wrong' }),
    (id) => ({ notes: [{ about: id }] }),
    (id) => ({ related: position(id) }),
    (id) => ({ related: { ...position(id), options: { strict: false } } }),
    (id) => ({ links: [{ __type: article, id }] }),
  ];
  const statuses: unknown[] = [];
  for (const way of ways) {
    const [missing, hidden] = [await write(way(999)), await write(way(bob))];
    expect(hidden).toEqual(missing);
    statuses.push((hidden as readonly unknown[])[0]);
  }
  expect(statuses).toEqual([400, 400, 400, 400, 200, 200]);
  const stored = await people.service.entries.findOne(article, Number(ids['ann']), { populate: ['related', 'links'] });
  expect([stored['related'], stored['links']]).toEqual([[expect.objectContaining({ id: ids['ann'] })], undefined]);
  await people.service.entries.update(article, Number(ids['ann']), { related: [] });
});

test('users who may read only themselves find, count, change and delete no one else', async () => {
  const user = 'plugin::users-permissions.user';
  const where = { id: '$user.id' };
  const limited = ['find', 'findOne'].map((name) => ({ action: `${user}.${name}`, where }));
  await role([...limited, ...['count', 'me', 'update', 'destroy'].map((name) => `${user}.${name}`)]);
  expect((await get('/api/users')).map(({ id }: AuthUser) => id)).toEqual([ann.id]);
  expect(await get('/api/users/count')).toBe(1);
  expect((await get(`/api/users/${ann.id}`)).id).toBe(ann.id);
  expect((await people.send('get', `/api/users/${bob.id}`, undefined, ann.jwt)).text).toBe('');
  expect((await people.send('put', `/api/users/${bob.id}`, { username: 'x' }, ann.jwt)).status).toBe(404);
  await people.send('delete', `/api/users/${bob.id}`, undefined, ann.jwt);
  expect((await people.sendFreely('get', `/api/users/${bob.id}`)).body.username).toBe('bob');
  expect((await get('/api/users/me')).username).toBe('ann');
});

test('the entry of a single type that is not read is not there, and cannot be made again', async () => {
  const single = 'api::homepage.homepage';
  await role([{ action: `${single}.find`, where: { headline: 'Other' } }, `${single}.update`]);
  expect((await get('/api/homepage')).error.status).toBe(404);
  const write = async () => (await people.send('put', '/api/homepage', { data: { headline: 'x' } }, ann.jwt)).status;
  const hidden = await write();
  const [{ id } = { id: 0 }] = await people.service.entries.findMany(single);
  await people.service.entries.delete(single, id);
  expect([hidden, await write()]).toEqual([404, 404]);
});

test('a process without the rule does not grant the actions that it limits', async () => {
  await role(reading(own));
  const permissions = [`${article}.find`].map((action) => `${action}.restricted`);
  await people.allow('authenticated', permissions);
  expect((await get('/api/articles')).error.status).toBe(403);
});
