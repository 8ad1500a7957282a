import { beforeAll, expect, test } from '@jest/globals';
import { declare, publisher, type Permission } from '../../support/access.js';
import { picture, send as sendForm } from '../plugins/upload/media.js';
import { usePeople, type AuthUser } from '../plugins/users-permissions/users-client.js';

const people = usePeople({ contentTypes: publisher, plugins: { i18n: { config: { locales: ['en', 'de'] } } } });
const article = 'api::article.article';
const author = 'api::author.author';
const user = 'plugin::users-permissions.user';
const hiding = (...names: readonly string[]): Permission[] =>
  ['find', 'findOne'].map((action) => ({ action: `${article}.${action}`, fields: names.map((name) => `-${name}`) }));
const hidden = ['body', 'fee', 'serial', 'author', 'related', 'cover', 'notes', 'blocks', 'links', 'localizations'];
const others = [
  'api::author.author.find',
  'api::homepage.homepage.find',
  `${user}.find`,
  'plugin::upload.content-api.find',
];

let ann: AuthUser;
const ids: Record<string, number> = {};

const create = async (uid: string, data: object): Promise<number> =>
  (await people.service.entries.create(uid, data as Readonly<Record<string, unknown>>)).id;
const get = (path: string) => people.send('get', path, undefined, ann.jwt);
const graphql = async (query: string) => (await people.send('post', '/graphql', { query }, ann.jwt)).body;
const role = (...permissions: readonly Permission[]): Promise<void> =>
  declare(people.service, { authenticated: permissions });

beforeAll(async () => {
  ann = await people.register('ann');
  const writer = await create(author, { name: 'Ann', phone: '1', user: ann.id });
  const publishedAt = '2024-01-01T00:00:00.000Z';
  const first = await create(article, { title: 'First', publishedAt, locale: 'en' });
  const notes = [{ text: 'secret note', about: first }];
  const secrets = { body: 'secret body', fee: 7_654_321, serial: 'secret-1', author: writer, related: [first], notes };
  const zone = {
    blocks: [{ __component: 'article.note', text: 'secret block' }],
    links: [{ __type: article, id: first }],
  };
  ids['second'] = await create(article, { ...secrets, ...zone, title: 'Second', publishedAt, locale: 'en' });
  await create('api::homepage.homepage', { headline: 'Home', featured: ids['second'] });
});

test.each([
  ['a list', () => '/api/articles?sort=title'],
  ['a list with everything', () => '/api/articles?populate=*'],
  ['a deep list', () => '/api/articles?populate=deep'],
  ['named relations', () => `/api/articles?populate=${hidden.join(',')}`],
  ['all fields', () => '/api/articles?fields=*'],
  ['an entry', () => `/api/articles/${ids['second']}?populate=*`],
  ['a relation', () => '/api/homepage?populate[featured][populate]=*'],
  ['a relation of a relation', () => '/api/authors?populate[articles][populate][author]=true'],
  ['a relation of users', () => '/api/users?populate[author][populate][articles][populate]=*'],
])('what a rule withholds is absent in %s', async (_, path) => {
  await role(...hiding(...hidden), ...others);
  const { status, text, body } = await get(path());
  expect([status, text.includes('Second'), /secret|7654321/.test(text)]).toEqual([200, true, false]);
  const keys = JSON.stringify(body)
    .match(/"(\w+)":/g)
    ?.map((key) => key.slice(1, -2));
  // Users have an author of their own.
  const allowed = path().startsWith('/api/users') ? ['author'] : [];
  expect(hidden.filter((name) => keys?.includes(name) === true)).toEqual(allowed);
});

test.each([
  'filters[body][$contains]=secret',
  'filters[$or][0][fee][$gt]=70',
  'filters[author][name]=Ann',
  'filters[notes][text][$contains]=secret',
  'filters[blocks][$on][article.note][text][$contains]=secret',
  'filters[related][title]=First',
  'sort=fee:desc',
  'sort=author.name',
  'fields=title,fee&fields[1]=fee',
  'fields[0]=fee',
  'populate[category][populate][articles][filters][fee]=7654321',
  'populate[category][populate][articles][sort]=fee',
  'populate[category][populate][articles][fields]=fee',
  'filters[category][articles][fee]=7654321',
])('a query by what a rule withholds is refused: %s', async (query) => {
  await role(...hiding(...hidden), ...others, 'api::category.category.find');
  const { status, body } = await get(`/api/articles?${query}`);
  expect([status, body.error?.message]).toEqual([400, expect.stringMatching(/^Invalid parameter (?!\[)\w+/)]);
});

test.each([
  '/api/homepage?populate[featured][sort]=fee',
  '/api/authors?filters[articles][fee]=7654321',
  '/api/authors?sort=user.author.phone',
])('what a rule withholds is refused behind relations: %s', async (path) => {
  await role(
    ...hiding(...hidden),
    { action: `${author}.find`, fields: ['name', 'user', 'articles'] },
    ...others.slice(1),
  );
  expect((await get(path)).status).toBe(400);
});

test('searches, reads by a unique value and counts do not see what a rule withholds', async () => {
  await role(...hiding('body', 'serial'));
  const total = async (query: string) => (await get(`/api/articles?${query}`)).body.meta.pagination.total;
  expect([await total('_q=secret'), await total('_q=second')]).toEqual([0, 1]);
  expect((await get('/api/articles/by/serial/secret-1')).status).toBe(400);
  expect((await get('/api/articles/count?filters[serial]=secret-1')).status).toBe(400);
  await role(...hiding('body'));
  expect((await get('/api/articles/by/serial/secret-1')).status).toBe(200);
});

test('over GraphQL what a rule withholds is null, and refused in arguments', async () => {
  await role(...hiding(...hidden.filter((name) => name !== 'links')), ...others, 'api::homepage.homepage.find');
  const fields = 'body fee serial author { data { id } } related { data { id } } cover { data { id } } notes { text }';
  const selected = `id attributes { title ${fields} blocks { ... on ComponentArticleNote { text } } }`;
  const nothing = {
    body: null,
    fee: null,
    serial: null,
    author: null,
    related: null,
    cover: null,
    notes: null,
    blocks: null,
  };
  const { data, errors } = await graphql(`{
    articles(filters: { title: { eq: "Second" } }) { data { ${selected} } }
    article(id: ${ids['second']}) { data { ${selected} } }
    homepage { data { attributes { featured { data { ${selected} } } } } }
  }`);
  expect(errors).toBeUndefined();
  const found = [data.articles.data[0], data.article.data, data.homepage.data.attributes.featured.data];
  for (const entry of found) expect(entry.attributes).toEqual({ title: 'Second', ...nothing });
  const refused = await graphql('{ articles(filters: { fee: { gt: 1 } }) { data { id } } }');
  expect([refused.data?.articles ?? null, refused.errors[0].message]).toEqual([null, 'Invalid parameter fee']);
  const behind = await graphql('{ authors { data { attributes { articles(sort: "fee") { data { id } } } } } }');
  expect(behind.errors[0].message).toBe('Invalid parameter fee');
});

test('lists can show less than a single entry, and answers to writes show what a single entry does', async () => {
  await role(
    { action: `${article}.find`, fields: ['title'] },
    { action: `${article}.findOne`, fields: ['title', 'body', 'related'] },
    `${article}.update`,
    `${article}.create`,
    `${article}.delete`,
  );
  const readData = async (path: string) => (await get(path)).body.data;
  expect((await readData('/api/articles?filters[title]=Second'))[0].attributes).toEqual({ title: 'Second' });
  const one = `/api/articles/${ids['second']}?populate=related`;
  const related = { data: [{ id: expect.any(Number), attributes: { title: 'First' } }] };
  expect((await readData(one)).attributes).toEqual({ title: 'Second', body: 'secret body', related });
  const write = async (method: 'put' | 'post' | 'delete', path: string, data?: object) =>
    (await people.send(method, path, data && { data }, ann.jwt)).body.data;
  expect((await write('put', one, { fee: 78 })).attributes).toEqual({ title: 'Second', body: 'secret body', related });
  const created = await write('post', '/api/articles', { title: 'Third', fee: 5 });
  expect(created.attributes).toEqual({ title: 'Third', body: null });
  expect((await write('delete', `/api/articles/${created.id}`)).attributes).toEqual({ title: 'Third', body: null });
});

test('values that a rule does not allow are refused, or dropped if access.json declares that', async () => {
  const fields = ['title', 'body', 'notes'];
  const permissions = [
    { action: `${article}.create`, fields, set: { fee: 9 } },
    { action: `${article}.update`, fields: ['-fee', '-cover'] },
    `${article}.createLocalization`,
    `${article}.findOne`,
    'plugin::upload.content-api.upload',
  ];
  await role(...permissions);
  const send = (method: 'put' | 'post', path: string, data: object) => people.send(method, path, { data }, ann.jwt);
  const refused = await send('post', '/api/articles', { title: 'x', fee: 1, publishedAt: null });
  const issues = refused.body.error.details.errors.map(({ path }: { path: unknown }) => path);
  expect([refused.status, issues]).toEqual([400, [['fee'], ['publishedAt']]]);
  const created = await send('post', '/api/articles', {
    title: 'x',
    body: 'y',
    locale: 'en',
    createdAt: 1,
    unknown: 2,
  });
  expect([created.status, created.body.data.attributes.fee]).toEqual([200, 9]);
  const path = `/api/articles/${created.body.data.id}`;
  expect((await send('put', path, { fee: 1 })).body.error.details.errors[0].path).toEqual(['fee']);
  expect((await send('put', path, { title: 'z', section: 'news' })).status).toBe(200);
  expect((await send('post', `${path}/localizations`, {})).status).toBe(400);
  const localized = (data: object) => people.send('post', `${path}/localizations`, data, ann.jwt);
  expect((await localized({ locale: 'de', title: 'd', serial: 'd' })).status).toBe(400);
  expect((await localized({ locale: 'de', title: 'd' })).status).toBe(200);
  const mutation = await graphql(
    `mutation { updateArticle(id: ${created.body.data.id}, data: { fee: 3 }) { data { id } } }`,
  );
  expect(mutation.errors[0].extensions.error.details.errors[0].path).toEqual(['fee']);
  // It would be refused if it were opened.
  const cover = { content: (await picture(300, 300)).subarray(0, 100), name: 'cover.png', field: 'files.cover' };
  const sendCover = () =>
    sendForm({ ...people.service, token: ann.jwt }, 'put', path, [cover], { data: { title: 'v' } });
  expect((await sendCover()).body.error.details.errors[0].path).toEqual(['cover']);
  await declare(people.service, { authenticated: permissions }, {}, { forbiddenFields: 'drop' });
  expect((await send('put', path, { title: 'w', fee: 1 })).body.data.attributes).toMatchObject({ title: 'w', fee: 9 });
  expect((await sendCover()).status).toBe(200);
});

test('fields of users are withheld in lists, of the user themselves and when they log in', async () => {
  await role(
    ...['find', 'findOne'].map((name) => ({ action: `${user}.${name}`, fields: ['username'] })),
    { action: `${user}.update`, fields: ['username'], where: { id: '$user.id' } },
    `${user}.me`,
  );
  const seen = { id: ann.id, username: 'ann' };
  expect((await get('/api/users')).body).toEqual([seen]);
  expect([(await get('/api/users/me')).body, (await get(`/api/users/${ann.id}`)).body]).toEqual([seen, seen]);
  expect((await graphql('{ me { username email } }')).data.me).toEqual({ username: 'ann', email: null });
  expect((await get('/api/users?filters[email]=ann@example.test')).status).toBe(400);
  expect((await get('/api/users/count?email=ann@example.test')).status).not.toBe(200);
  expect((await people.logIn('ann', 'secret-of-ann')).body.user).toEqual(seen);
  const put = (data: object) => people.send('put', `/api/users/${ann.id}`, data, ann.jwt);
  expect((await put({ email: 'other@example.test' })).status).toBe(400);
  expect((await put({ username: 'ann' })).body).toEqual(seen);
});

test('entries of one action are united', async () => {
  const fields = (...names: readonly string[]): Permission => ({ action: `${article}.find`, fields: names });
  await role(fields('title'), fields('title', 'fee'));
  const readData = async () => Object.keys((await get('/api/articles')).body.data[0].attributes);
  expect(await readData()).toEqual(['title', 'fee']);
  await role(fields('title'), `${article}.find`);
  expect(await readData()).toContain('body');
});

test('a new entry is a draft where its time of publication may not be written', async () => {
  await role({ action: `${article}.create`, fields: ['title'] }, `${article}.find`, `${article}.findOne`);
  const { status, body } = await people.send('post', '/api/articles', { data: { title: 'Proposed' } }, ann.jwt);
  expect([status, body.data.attributes.publishedAt]).toEqual([200, null]);
  await role({ action: `${article}.create`, fields: ['-body'] }, `${article}.find`, `${article}.findOne`);
  const { body: published } = await people.send('post', '/api/articles', { data: { title: 'Told' } }, ann.jwt);
  expect(published.data.attributes.publishedAt).not.toBeNull();
});

test.each([
  ['role', 1],
  ['confirmed', true],
  ['blocked', false],
  ['provider', 'github'],
])('users who may change themselves do not change their %s, unless the fields name it', async (name, value) => {
  const rule = { action: `${user}.update`, where: { id: '$user.id' } };
  const change = (data: object) => people.send('put', `/api/users/${ann.id}`, data, ann.jwt);
  const refused = { status: 400, body: { error: { details: { errors: [{ path: [name] }] } } } };
  const role1 = async (fields?: readonly string[]) => role({ ...rule, ...(fields && { fields }) }, `${user}.find`);
  await role1();
  expect(await change({ [name]: value })).toMatchObject(refused);
  expect((await change({ username: 'ann' })).status).toBe(200);
  const query = `mutation { updateUsersPermissionsUser(id: ${ann.id}, data: { ${name}: ${JSON.stringify(value)} }) { data { id } } }`;
  expect((await graphql(query)).errors).toHaveLength(1);
  await role1(['-company']);
  expect(await change({ [name]: value })).toMatchObject(refused);
  const before = await people.service.entries.findOne(user, ann.id, { populate: ['role'] });
  const same = name === 'role' ? (before['role'] as { readonly id: number }).id : before[name];
  await role1([name]);
  expect((await change({ [name]: same })).status).toBe(200);
});

test('files are added only to entries that the caller may update', async () => {
  const id = await create(article, { title: 'Covered', locale: 'en' });
  const upload = () =>
    sendForm({ url: people.service.url, token: ann.jwt }, 'post', '/api/upload', [{ name: 'a.txt', content: 'a' }], {
      ref: article,
      refId: String(id),
      field: 'cover',
    });
  await role(`${article}.create`, `${article}.find`, 'plugin::upload.content-api.upload');
  expect((await upload()).status).toBe(403);
  await role(
    { action: `${article}.update`, where: { title: 'x' } },
    `${article}.find`,
    'plugin::upload.content-api.upload',
  );
  expect((await upload()).status).toBe(200);
  const cover = async () => (await people.service.entries.findOne(article, id, { populate: ['cover'] }))['cover'];
  expect(await cover()).toBeNull();
  await role(`${article}.update`, `${article}.find`, 'plugin::upload.content-api.upload');
  expect((await upload()).status).toBe(200);
  expect(await cover()).toMatchObject({ name: 'a.txt' });
});
