import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { RequestError, type Api } from '../../src/browser/api/api.js';
import { readEntry } from '../../src/browser/api/entries.js';
import { readReferrers } from '../../src/browser/api/uses/referrers.js';
import { changesOf, creationOf, dataOf } from '../../src/browser/model/body.js';
import { copyOf } from '../../src/browser/model/copy.js';
import { formAttributes, typeOf, type Content, type ContentType } from '../../src/browser/model/schema.js';
import { entryQuery } from '../../src/browser/model/selection.js';
import { FILE, newPart, valuesOf, type Part, type Values } from '../../src/browser/model/values.js';
import { checkPreviews } from '../../src/settings.js';
import { encodeQuery } from '@content-service/client/query';
import { declare } from '../../../../tests/support/access.js';
import { useService } from '../../../../tests/support/service.js';

const client = useService({
  plugins: { admin: true, i18n: { config: { locales: ['en', 'fr'] } } },
});
let content: Content;
beforeAll(async () => {
  const { status, body } = await client.get('/api/admin/content');
  if (status !== 200) throw new Error(JSON.stringify(body));
  content = body.data;
});

const find = (name: string): ContentType => {
  const type = typeOf(content, `api::${name}.${name}`);
  if (type === undefined) throw new Error(`no ${name}`);
  return type;
};
const urlOf = (type: ContentType, id?: number): string =>
  `/api/${type.path}${id === undefined ? '' : `/${id}`}?${encodeQuery(entryQuery(content, type))}`;
/** The requests of the editor, with the rights of the client. */
const api: Api = {
  get: async (path, query = {}) => {
    const { status, body } = await client.get(`/api/${path}?${encodeQuery(query)}`);
    if (status !== 200) throw new RequestError(status, body.error.name, body.error.message, body.error.details);
    return { body, etag: undefined };
  },
  send: () => Promise.reject(new Error('not used')),
};
const read = async (type: ContentType, id?: number): Promise<any> =>
  (await readEntry(api, type, id, entryQuery(content, type))).entry?.attributes;
const write = async (method: 'put' | 'post', type: ContentType, id: number | undefined, data: object): Promise<any> => {
  const { status, body } = await client[method](urlOf(type, id), data);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data;
};
const part = (component: string, values: Values): Part => {
  const made = newPart(content, component, component);
  return { ...made, values: { ...made.values, ...values } };
};
const links = (uid: string, ...ids: readonly number[]): Values[string] => ({
  items: ids.map((id) => ({ id, uid, title: '' })),
  stored: [],
  truncated: false,
});

/** Without what every write changes. */
const comparable = (attributes: any): any => ({ ...attributes, createdAt: 0, updatedAt: 0 });
/** Without ids of components, which differ in a copy. */
const withoutIds = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, inner) =>
    inner !== null && typeof inner === 'object' && 'id' in inner && !('attributes' in inner)
      ? { ...inner, id: 0 }
      : inner,
  );

describe('what is typed into a form is what the API returns', () => {
  let ids: Record<string, number>;
  beforeAll(async () => {
    ids = {
      ada: await client.create('authors', { name: 'Ada' }),
      ida: await client.create('authors', { name: 'Ida' }),
      red: await client.create('tags', { name: 'Red' }),
      blue: await client.create('tags', { name: 'Blue' }),
      tea: await client.create('products', { name: 'Tea', sku: 'TEA' }),
    };
  });

  test('for every type of attribute of a new entry', async () => {
    const type = find('article');
    const typed: Values = {
      title: 'A title', slug: 'a-title', body: '# Body', summary: 'A summary', kind: 'how-to', rating: '4.5', views: '12',
      bignum: '9223372036854775807', score: '1e-3', featured: true, publishOn: '2030-01-31', airTime: '09:30',
      startsAt: '2030-01-31T10:20', ts: '2030-01-31T10:20:30.125', contactEmail: 'a@example.org', secret: 'hidden',
      meta: '{"a":[1,null]}', internalNote: 'private', code: 'C1', ref: 'AB-123',
      author: links('api::author.author', ids['ada']!),
      tags: links('api::tag.tag', ids['blue']!, ids['red']!),
      seo: [part('shared.seo', { metaTitle: 'Meta', openGraph: [part('shared.open-graph', { ogTitle: 'Open', extra: '[]' })] })],
      links: [part('shared.link', { label: 'One', url: '/one', priority: '3' }), part('shared.link', { label: 'Two' })],
      blocks: [
        part('blocks.quote', { text: 'A quote', source: links('api::author.author', ids['ida']!), mentions: links('api::tag.tag', ids['red']!) }),
        part('blocks.text', { content: 'Text' }),
        part('blocks.promo', { title: 'Promo', items: [part('shared.link', { label: 'Item', external: true })] }),
      ],
    }; // prettier-ignore
    const { id, attributes } = await write('post', type, undefined, creationOf(content, type, typed));
    const localTime = (text: string): Date => new Date(text);
    expect(attributes).toMatchObject({
      title: 'A title', slug: 'a-title', body: '# Body', summary: 'A summary', kind: 'how-to', rating: 4.5, views: 12,
      bignum: '9223372036854775807', score: 0.001, featured: true, publishOn: '2030-01-31', airTime: '09:30:00.000',
      startsAt: localTime('2030-01-31T10:20').toISOString(), ts: String(localTime('2030-01-31T10:20:30.125').getTime()),
      contactEmail: 'a@example.org', meta: { a: [1, null] }, code: 'C1', ref: 'AB-123',
      author: { data: { id: ids['ada'] } },
      tags: { data: [{ id: ids['blue'] }, { id: ids['red'] }] },
      seo: { metaTitle: 'Meta', noIndex: false, openGraph: { ogTitle: 'Open', ogType: 'website', extra: [] } },
      links: [{ label: 'One', url: '/one', priority: 3, external: false }, { label: 'Two', url: null }],
      blocks: [
        { __component: 'blocks.quote', source: { data: { id: ids['ida'] } }, mentions: { data: [{ id: ids['red'] }] } },
        { __component: 'blocks.text', content: 'Text' },
        { __component: 'blocks.promo', items: [{ label: 'Item', external: true }] },
      ],
    }); // prettier-ignore
    // Hidden values are stored, and not shown.
    expect(attributes).not.toHaveProperty('secret');
    const stored = await client.service.database.db.collection<{ _id: number }>('articles').findOne({ _id: id });
    expect(stored).toMatchObject({ internalNote: 'private', secret: expect.stringMatching(/^\$2/) });
  });

  test('for files, and for relations to one entry and to several', async () => {
    const type = find('article');
    const upload = async (name: string): Promise<number> => {
      const form = new FormData();
      form.append('files', new Blob(['A text'], { type: 'text/plain' }), name);
      const headers = { Authorization: `Bearer ${client.service.token}` };
      const answer = await fetch(`${client.service.url}/api/upload`, { method: 'POST', headers, body: form });
      const [file] = (await answer.json()) as readonly [{ readonly id: number }];
      return file.id;
    };
    const [first, second] = [await upload('first.txt'), await upload('second.txt')];
    const category = await client.create('categories', { name: 'Bread', slug: 'bread' });
    const card = await client.create('seo-cards', { headline: 'Card' });
    const others = [await client.create('articles', { title: 'One' }), await client.create('articles', { title: 'Two' })];
    const typed: Values = {
      title: 'Related',
      cover: links(FILE, first),
      gallery: links(FILE, second, first),
      category: links('api::category.category', category),
      seoCard: links('api::seo-card.seo-card', card),
      related: links('api::article.article', ...others),
    };
    const { id } = await write('post', type, undefined, creationOf(content, type, typed));
    const values = valuesOf(content, type, await read(type, id));
    for (const name of Object.keys(typed).slice(1)) {
      const ids = (list: any): readonly number[] => list.items.map((item: { readonly id: number }) => item.id);
      expect([name, ids(values[name])]).toEqual([name, ids(typed[name])]);
    }
  }); // prettier-ignore

  test('for relations of every kind, and for single types', async () => {
    const [comment, bookmark, product, setting] = (['comment', 'bookmark', 'product', 'setting'] as const).map(find) as [
      ContentType, ContentType, ContentType, ContentType,
    ]; // prettier-ignore
    const tea = links('api::product.product', ids['tea']!);
    const about = await write('post', comment, undefined, creationOf(content, comment, { text: 'Good', subject: tea }));
    const items = [{ id: ids['ada']!, uid: 'api::author.author', title: '' }, { id: ids['tea']!, uid: product.uid, title: '' }];
    const marked = await write('post', bookmark, undefined, creationOf(content, bookmark, { label: 'Marked', items: { items, stored: [], truncated: false } }));
    expect(valuesOf(content, comment, await read(comment, about.id))['subject']).toMatchObject({ items: [{ id: ids['tea'], uid: product.uid, title: 'Tea' }] });
    expect(valuesOf(content, bookmark, marked.attributes)['items']).toMatchObject({ items: [{ uid: 'api::author.author', title: 'Ada' }, { uid: product.uid, title: 'Tea' }] });
    const tail = valuesOf(content, product, await read(product, ids['tea']));
    expect(tail).toMatchObject({ comments: { items: [{ id: about.id }] } });
    const saved = await write('put', setting, undefined, creationOf(content, setting, { siteName: 'Site', maxItems: '5', footerLinks: [part('shared.link', { label: 'Home' })] }));
    expect(saved.attributes).toMatchObject({ siteName: 'Site', maxItems: 5, footerLinks: [{ label: 'Home' }] });
  }); // prettier-ignore

  test.each(['article', 'comment', 'bookmark', 'product', 'author', 'tag'])(
    'a form of %s that changes nothing sends nothing, one that sends everything changes nothing, and a copy is equal',
    async (name) => {
      const type = find(name);
      const id = (await client.get(`/api/${type.path}?publicationState=preview&sort=id`)).body.data[0].id;
      const before = await read(type, id);
      const values = valuesOf(content, type, before);
      expect(changesOf(content, type, values, valuesOf(content, type, before))).toEqual({});
      const all = formAttributes(type).filter(({ read, update }) => read && update);
      const data = Object.fromEntries(all.map((own) => [own.name, dataOf(content, own, values[own.name] ?? null)]));
      await write('put', type, id, data);
      expect(comparable(await read(type, id))).toEqual(comparable(before));
      // Relations that belong to one entry move to the copy.
      const exclusive = all.filter(({ type: kind, ...own }) => kind === 'relation' && !['tags', 'author', 'vendor'].includes(own.name));
      const unique = all.filter((own) => 'unique' in own && (own.unique || own.type === 'uid'));
      const omitted = new Set([...exclusive, ...unique].map((own) => own.name));
      const base = Object.fromEntries(Object.entries(copyOf(type, values)).filter(([key]) => !omitted.has(key)));
      const required = { ...(name === 'product' && { sku: 'COPY' }), ...(name === 'tag' && { name: 'Copy' }) };
      const copy = await write('post', type, undefined, { ...creationOf(content, type, base), ...required });
      const visible = (attributes: any): any =>
        Object.fromEntries(
          Object.entries(comparable(attributes)).filter(([key]) => !omitted.has(key) && key !== 'publishedAt'),
        );
      expect(withoutIds(visible(copy.attributes))).toEqual(withoutIds(visible(before)));
    },
  ); // prettier-ignore
});

type Permissions = readonly (string | Readonly<Record<string, unknown>>)[];

/** Gives the role of users these permissions, and returns requests of a new one. */
async function asUser(permissions: Permissions, user = `u${Date.now()}`) {
  await declare(client.service, { authenticated: permissions, public: ['plugin::users-permissions.auth.callback'] });
  const sendAs = (token: string) => (method: 'get' | 'post' | 'put', address: string, body?: object) =>
    request(client.service.url)[method](address).auth(token, { type: 'bearer' }).send(body);
  const password = 'secret-password';
  const data = { username: user, email: `${user}@example.org`, password, role: 1, confirmed: true };
  await sendAs(client.service.token)('post', '/api/users', data);
  const logIn = await request(client.service.url).post('/api/auth/local').send({ identifier: user, password });
  return sendAs(logIn.body.jwt);
}

describe('who wrote an entry', () => {
  const uid = 'api::article.article';
  const writing = ['find', 'findOne', 'create', 'update', 'createLocalization'].map((action) => `${uid}.${action}`);
  const writers = (id: number): string => `/api/admin/writers/${uid}/${id}`;

  test('is named to those who may change it', async () => {
    const [ann, bob] = [await asUser(writing, 'ann'), await asUser(writing, 'bob')];
    const id = await client.create('articles', { title: 'Imported' });
    const read = async (): Promise<unknown> => (await bob('get', writers(id))).body.data;
    expect(await read()).toEqual({ createdBy: null, updatedBy: null });
    await ann('put', `/api/articles/${id}`, { data: { title: 'Corrected' } });
    expect(await read()).toEqual({ createdBy: null, updatedBy: 'ann' });
    const { body } = await ann('post', '/api/articles', { data: { title: 'Her own' } });
    await bob('put', `/api/articles/${body.data.id}`, { data: { title: 'His too' } });
    const { data } = (await bob('get', writers(body.data.id))).body;
    expect(data).toEqual({ createdBy: 'ann', updatedBy: 'bob' });
    // Who changes a shared value changes the translations.
    const { body: french } = await ann('post', `/api/articles/${id}/localizations`, { locale: 'fr', title: 'Corrigé' });
    await bob('put', `/api/articles/${id}`, { data: { views: 7 } });
    expect((await bob('get', writers(french.id))).body.data).toEqual({ createdBy: 'ann', updatedBy: 'bob' });
    // What a program changes is no change of the user before it.
    await client.put(`/api/articles/${id}`, { data: { title: 'Imported again' } });
    expect(await read()).toEqual({ createdBy: null, updatedBy: null });
  });

  test('is known to users themselves: they find the drafts that they created or last changed, and those of others', async () => {
    const [ann, bob] = [await asUser(writing, 'anja'), await asUser(writing, 'bernd')];
    const draftOf = async (user: typeof ann, title: string): Promise<number> =>
      (await user('post', '/api/articles', { data: { title, publishedAt: null } })).body.data.id;
    const drafts = async (user: typeof ann): Promise<any> => (await user('get', '/api/admin/desk')).body.data;
    const own = async (user: typeof ann): Promise<unknown> => (await drafts(user))[uid].drafts.own;
    const others = async (user: typeof ann): Promise<readonly number[]> => (await drafts(user))[uid].drafts.others;
    expect(await own(ann)).toEqual([]);
    const [first, second] = [await draftOf(ann, 'First'), await draftOf(ann, 'Second')];
    const { body: french } = await ann('post', `/api/articles/${first}/localizations`, { locale: 'fr', title: 'Un' });
    const published = await draftOf(ann, 'Published');
    await ann('put', `/api/articles/${published}`, { data: { publishedAt: new Date() } });
    await bob('put', `/api/articles/${second}`, { data: { title: 'Second, by Bob' } });
    const imported = await client.create('articles', { title: 'Imported', publishedAt: null });
    expect(await own(ann)).toEqual([second, first, french.id]);
    expect(await own(bob)).toEqual([second]);
    // Those that no user has written are the drafts of others, too.
    expect((await others(ann))[0]).toBe(imported);
    expect((await others(bob)).slice(0, 3)).toEqual([imported, first, french.id]);
    await bob('put', `/api/articles/${imported}`, { data: { title: 'Corrected' } });
    expect(await own(bob)).toEqual([imported, second]);
    // However many they are, none of them is among the drafts of others.
    for (const number of Array.from({ length: 10 }).keys()) await draftOf(ann, `Draft ${number}`);
    const many: any = (await drafts(ann))[uid].drafts;
    expect(many.own).toHaveLength(8);
    expect(many.others.slice(0, 1)).toEqual([imported]);
    const { total } = (
      await client.get('/api/articles?publicationState=preview&filters[publishedAt][$null]=true&locale=all')
    ).body.meta.pagination;
    expect(many.total).toBe(total);
    // Rules hide them as in a list, and without the right to list them there are none.
    const rule = { action: `${uid}.find`, where: { title: 'First' } };
    await declare(client.service, { authenticated: [rule] });
    const rest = { changed: [first], waiting: [], back: [], published: [], total: 1 };
    const none = { own: [], others: [], prepared: [], total: 1 };
    expect(await drafts(ann)).toEqual({ [uid]: { drafts: { ...none, own: [first] }, ...rest } });
    expect(await drafts(bob)).toEqual({ [uid]: { drafts: { ...none, others: [first] }, ...rest } });
    await declare(client.service, { authenticated: [`${uid}.update`] });
    expect(await drafts(ann)).toEqual({});
    expect((await request(client.service.url).get('/api/admin/desk')).status).toBe(401);
    expect((await client.get('/api/admin/desk')).status).toBe(401);
  });

  test('is told to nobody else, and cannot be asked for', async () => {
    const carl = await asUser(writing, 'carl');
    const { body } = await carl('post', '/api/articles?populate=*', { data: { title: 'Written by Carl' } });
    expect(JSON.stringify(body)).not.toMatch(/carl"|edBy/);
    const { id } = body.data;
    for (const name of ['_createdBy', '_updatedBy', 'createdBy']) {
      for (const query of [`filters[${name}]=1`, `sort=${name}`, `fields=${name}`])
        expect([query, (await carl('get', `/api/articles?${query}`)).status]).toEqual([query, 400]);
      const { body: populated } = await carl('get', `/api/articles/${id}?populate=${name}`);
      expect(populated.data?.attributes?.[name]).toBeUndefined();
    }
    const reader = await asUser([`${uid}.find`, `${uid}.findOne`]);
    expect((await reader('get', writers(id))).status).toBe(403);
    const own = await asUser([`${uid}.find`, { action: `${uid}.update`, where: { title: 'Another' } }]);
    expect((await own('get', writers(id))).status).toBe(404);
    expect((await request(client.service.url).get(writers(id))).status).toBe(401);
    expect((await client.get('/api/admin/writers/api::unknown.unknown/1')).status).toBe(404);
  });
});

describe('the description of the content', () => {
  const describeFor = async (permissions: Permissions): Promise<Content> =>
    (await (await asUser(permissions))('get', '/api/admin/content')).body.data;

  test('needs a log-in', async () => {
    expect((await request(client.service.url).get('/api/admin/content')).status).toBe(401);
  });

  test('offers the definitions of all types to callers who may read both types and components', async () => {
    const actions = ['content-types.getContentTypes', 'components.getComponents'].map(
      (name) => `plugin::content-type-builder.${name}`,
    );
    for (const [permissions, find] of [
      [actions, true],
      [actions.slice(1), false],
    ] as const) {
      expect((await describeFor([...permissions])).definitions).toEqual({ find, build: false });
    }
  });

  test('has the preferences that users keep in their account, for themselves only', async () => {
    const own = ['user.me', 'user.find', 'user.update'].map((name) => `plugin::users-permissions.${name}`);
    const [ann, bob] = [await asUser(own, 'anna'), await asUser(own, 'boris')];
    const kept = async (user: typeof ann): Promise<unknown> =>
      (await user('get', '/api/admin/content')).body.data.account.preferences;
    const views = [{ name: 'Older ones', search: 'search=older' }];
    const { body } = await ann('put', '/api/admin/account', { 'views.articles': views, theme: 'dark' });
    expect(body.data).toEqual({ 'views.articles': views, theme: 'dark' });
    await ann('put', '/api/admin/account', { theme: null });
    expect(await kept(ann)).toEqual({ 'views.articles': views });
    await Promise.all([1, 2, 3].map((number) => bob('put', '/api/admin/account', { [`views.${number}`]: [] })));
    expect(await kept(bob)).toEqual({ 'views.1': [], 'views.2': [], 'views.3': [] });
    expect(JSON.stringify((await bob('get', '/api/users')).body)).not.toContain('Older ones');
    expect((await bob('get', '/api/users?filters[editorPreferences][$notNull]=true')).status).toBe(400);
    const { id } = (await ann('get', '/api/users/me')).body;
    await bob('put', `/api/users/${id}`, { editorPreferences: {} });
    expect(await kept(ann)).toEqual({ 'views.articles': views });
    for (const [preferences, status] of [
      [{ large: 'x'.repeat(20_000) }, 400],
      [['a list'], 400],
    ] as const)
      expect((await ann('put', '/api/admin/account', preferences)).status).toBe(status);
    expect((await request(client.service.url).put('/api/admin/account').send({})).status).toBe(401);
    expect((await client.put('/api/admin/account', {})).status).toBe(401);
  });

  test('offers to replace the locales to callers with that permission', async () => {
    expect((await describeFor(['plugin::i18n.locales.updateLocales'])).replacesLocales).toBe(true);
    // As Strapi v4 has no such action, only roles that have it show it.
    const shown = (permissions: any): unknown => permissions['plugin::i18n'].controllers.locales.updateLocales; // oxlint-disable-line typescript/no-explicit-any
    const { role } = (await client.get('/api/users-permissions/roles/1')).body;
    expect(shown(role.permissions)).toMatchObject({ enabled: true });
    expect(shown((await client.get('/api/users-permissions/permissions')).body.permissions)).toBeUndefined();
    expect((await describeFor(['plugin::i18n.locales.listLocales'])).replacesLocales).toBe(false);
    // The settings of the plugin declare them, so that nobody can.
    expect((await describeFor(['plugin::i18n.locales.updateLocales'])).declaresLocales).toBe(true);
  });

  test('has only what the permissions of the caller cover', async () => {
    const described = await describeFor([
      { action: 'api::article.article.find', fields: ['title', 'author', 'seo', 'tags'] },
      { action: 'api::article.article.update', fields: ['title', 'tags', 'secret'] },
      'api::tag.tag.find',
    ]);
    const types = described.contentTypes.map(({ uid, actions, attributes }) => ({
      uid,
      actions,
      attributes: attributes.map(({ name, read, create, update }) => [name, read, create, update].join(' ')),
    }));
    expect(types.find(({ uid }) => uid === 'api::article.article')).toEqual({
      uid: 'api::article.article',
      actions: ['find', 'update'],
      // The author is missing: the caller may not list authors.
      attributes: ['title true false true', 'secret false false true', 'tags true false true', 'seo true false false'],
    });
    expect(types.map(({ uid }) => uid)).toEqual(['api::article.article', 'api::tag.tag']);
    expect(described.components.map(({ uid }) => uid)).toEqual(
      expect.arrayContaining(['shared.seo', 'shared.open-graph']),
    );
    expect(described.files).toEqual({ find: false, upload: false, destroy: false });
    expect(described.locales.map(({ code }) => code)).toEqual(['en', 'fr']);
  });

  test('says that a relation is not written whose attribute on the other side may not be updated', async () => {
    const described = await describeFor([
      { action: 'api::article.article.update', fields: ['-author'] },
      'api::article.article.find',
      'api::author.author.find',
      'api::author.author.update',
    ]);
    const author = described.contentTypes.find(({ uid }) => uid === 'api::author.author');
    const updates = author?.attributes.filter(({ update }) => update).map(({ name }) => name);
    expect(updates).toContain('name');
    expect(updates).not.toContain('articles');
  });

  test('has users without what only their plugin sets, and roles by name', async () => {
    const named = ['user.find', 'user.create', 'user.destroy', 'role.find', 'role.createRole'];
    const described = await describeFor(named.map((action) => `plugin::users-permissions.${action}`));
    const types = described.contentTypes.map(({ path, plain, actions, attributes }) => ({
      path,
      plain,
      actions,
      attributes: attributes.filter(({ create, read }) => create || read).map(({ name }) => name),
    }));
    expect(types).toEqual([
      {
        path: 'users',
        plain: true,
        actions: ['find', 'create', 'delete'],
        attributes: expect.arrayContaining(['username', 'email', 'password', 'confirmed', 'blocked', 'role']),
      },
      {
        path: 'users-permissions/roles',
        plain: true,
        actions: ['find', 'create'],
        attributes: expect.arrayContaining(['name', 'description']),
      },
    ]);
    expect(JSON.stringify(types)).not.toMatch(/token|provider|expires|passwordChangedAt/i);
  });
});

test('a relation is exclusive whose entries belong to one entry only', () => {
  const exclusive = content.contentTypes.flatMap(({ uid, attributes }) =>
    attributes.flatMap((attribute) =>
      attribute.type === 'relation' && attribute.exclusive === true ? [`${uid}.${attribute.name}`] : [],
    ),
  );
  expect(exclusive).toContain('api::author.author.articles');
  expect(exclusive).not.toContain('api::article.article.author');
  expect(exclusive).not.toContain('api::article.article.tags');
});

test('an entry is used by those that store a link to it: single types, drafts and texts among them', async () => {
  const article = typeOf(content, 'api::article.article') as ContentType;
  const type = { ...article, preview: 'https://www.example.org/articles/{slug}?draft' };
  const author = await client.create('authors', { name: 'Ada' });
  const attributes = { title: 'Shown on the homepage', slug: 'bread' };
  const id = await client.create('articles', { ...attributes, author });
  await client.create('articles', {
    title: 'Another',
    slug: 'bread-and-salt',
    body: '[Salt](/articles/bread-and-salt)',
  });
  const referrers = async (): Promise<unknown> => {
    const found = await readReferrers(api, content, type, { id, attributes }, 2);
    return found.map(({ type: { path }, steps, entries }) => [
      path,
      steps?.join('.') ?? 'text',
      ...entries.map((entry) => entry.attributes['title']),
    ]);
  };
  // Its author has the other side of a link that it stores itself.
  expect(await referrers()).toEqual([]);
  await client.put('/api/homepage', { title: 'Home', highlights: [id], publishedAt: null });
  await client.create('articles', { title: 'Linking', body: 'See [Bread](/articles/bread "Bread").' });
  expect(await referrers()).toEqual([
    ['homepage', 'Highlights', 'Home'],
    ['articles', 'text', 'Linking'],
  ]);
  await client.delete('/api/homepage');
});

describe('the page', () => {
  const html = { accept: 'text/html,*/*' };
  test('runs no script and no style but its own, at every address of the editor', async () => {
    const { url } = client.service;
    for (const address of ['/admin', '/admin/', '/admin/content/articles/12']) {
      const response = await fetch(`${url}${address}`, { headers: html });
      expect([response.status, response.headers.get('content-security-policy')]).toEqual([
        200,
        expect.stringContaining("default-src 'none'; script-src 'self'; style-src 'self'; "),
      ]);
    }
    const text = await (await fetch(`${url}/admin`, { headers: html })).text();
    expect(text).not.toMatch(/<style|https?:/);
    const named = (pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, file]) => String(file));
    const files = named(/<(?:script|link)[^>]* (?:src|rel="stylesheet" href)="(\/[^"]+)"/g);
    expect(files).toHaveLength(2);
    // With what the scripts import: all that is sent before the first list is shown.
    const sent = new Set(files);
    let size = 0;
    for (const file of sent) {
      const response = await fetch(`${url}${file}`, { headers: { 'accept-encoding': 'br' } });
      expect([response.status, response.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
      size += Number(response.headers.get('content-length'));
      const content = await response.text();
      const uncompressed = await fetch(`${url}${file}`, { headers: { 'accept-encoding': 'identity' } });
      expect(await uncompressed.text()).toBe(content);
      for (const [, name] of content.matchAll(/(?:from|import)"\.(\/[^"]+)"/g))
        sent.add(path.posix.dirname(file) + name);
    }
    // The build joins what the first script would import.
    expect(sent.size).toBe(2);
    // The page names them all, so that the browser asks for them together.
    const preloads = named(/<link rel="modulepreload" href="(\/[^"]+)"/g);
    expect([...files, ...preloads].toSorted()).toEqual([...sent].toSorted());
    expect(size).toBeLessThan(250_000);
    // The tables of the other languages are loaded when they are used.
    expect([...sent].filter((file) => /german|french/.test(file))).toEqual([]);
    expect((await fetch(`${url}/admin/assets/missing.js`, { headers: html })).status).toBe(404);
  });

  test('is sent to clients that accept anything, and not to those that accept only JSON', async () => {
    const statusFor = async (accept: string): Promise<number> =>
      (await fetch(`${client.service.url}/admin`, { headers: { accept } })).status;
    expect([await statusFor('*/*'), await statusFor('application/json')]).toEqual([200, 404]);
  });
});

test('previews name content types and attributes that are shown', () => {
  const check = (uid: string, address: string) => () => checkPreviews({ [uid]: address }, client.service.registry);
  const uid = 'api::article.article';
  expect(check(uid, 'https://www.example.org/{locale}/{id}/{slug}')).not.toThrow();
  expect(check('api::artikel.artikel', 'https://www.example.org')).toThrow('is unknown; allowed: uids');
  for (const name of ['slg', 'author', 'secret', 'internalNote'])
    expect(check(uid, `https://www.example.org/{${name}}`)).toThrow(
      `is {${name}} in "https://www.example.org/{${name}}"`,
    );
});
