import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { hashKey } from '../../../../src/plugins/api-tokens/definition.js';
import { useService, type Answer } from '../../../support/service.js';
import { minutes } from '../../../support/scaled.js';

const salt = 'a salt for the tests of i18n';
/** The kind of the caller of each create, and the entry that it joins, as project code sees them. */
const seen: unknown[] = [];
/** The bodies that a policy has seen; it refuses those that name a secret. */
const judged: unknown[] = [];
const client = useService({
  extension: {
    guards: {
      'api::article.article.createLocalization': {
        policies: [({ body }) => judged.push(body) > 0 && !JSON.stringify(body).includes('secret')],
      },
    },
    lifecycles: {
      'api::article.article': {
        beforeCreate: ({ data, caller }) => void seen.push([caller.kind, data['localizations']]),
      },
    },
  },
  plugins: { i18n: { config: { locales: ['en', 'fr', 'de'] } } },
  environment: { API_TOKEN_SALT: salt, JWT_SECRET: 'a secret for the tests of i18n' },
});
const { get, put, delete: remove, create } = client;

/** A POST without an envelope, as localizations are created. */
async function post(path: string, body: unknown, token = client.service.token): Promise<Answer> {
  const response = await fetch(client.service.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text), text, headers: {} };
}

async function localize(collection: string, id: number, body: object): Promise<number> {
  const { status, body: answer, text } = await post(`/api/${collection}/${id}/localizations`, body);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return answer.id as number;
}

const localesOf = async (collection: string, id: number): Promise<readonly string[]> => {
  const { body } = await get(`/api/${collection}/${id}?populate[localizations][fields]=locale`);
  const { localizations } = body.data.attributes;
  return localizations.data.map((one: { attributes: { locale: string } }) => one.attributes.locale).toSorted();
};
const valuesOf = async (collection: string, id: number, ...names: readonly string[]): Promise<readonly unknown[]> => {
  const { attributes } = (await get(`/api/${collection}/${id}`)).body.data;
  return names.map((name) => attributes[name]);
};
const idsOf = ({ body }: Answer): readonly number[] => body.data.map(({ id }: { id: number }) => id);

test('a list as the data of an update changes nothing, as in Strapi v4', async () => {
  const id = await create('categories', { name: 'Kept' });
  const { status, body } = await put(`/api/categories/${id}`, [{ name: 'Other' }]);
  expect([status, body.data.attributes.name]).toEqual([200, 'Kept']);
});

describe('a list', () => {
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    ids['en'] = await create('categories', { name: 'List en' });
    ids['fr'] = await create('categories', { name: 'List fr', locale: 'fr' });
    ids['de'] = await create('categories', { name: 'List de', locale: 'de' });
  });
  const list = 'filters[name][$startsWith]=List&sort=id';

  test.each([
    ['', ['en']],
    ['&locale=fr', ['fr']],
    ['&locale=all', ['en', 'fr', 'de']],
    ['&locale[]=fr&locale[]=de', ['fr', 'de']],
    ['&locale[0]=de', ['de']],
    ['&locale=', []],
    ['&locale', []],
    ['&locale=FR', []],
    ['&locale=xx', []],
    ['&filters[locale]=fr', []],
    ['&locale=all&filters[locale]=fr', ['fr']],
  ])('with "%s" returns the entries in %j', async (parameter, locales) => {
    expect(idsOf(await get(`/api/categories?${list}${parameter}`))).toEqual(locales.map((locale) => ids[locale]));
  });

  test('refuses a locale that is neither a code nor a list of them', async () => {
    const { status, body } = await get('/api/categories?locale[$ne]=en');
    expect([status, body.error.message]).toEqual([400, 'Invalid parameter locale']);
    expect((await get('/api/tags?locale[$ne]=en')).status).toBe(200);
  });

  test('does not affect reads by id and populated relations', async () => {
    const parent = ids['fr'] as number;
    const id = await create('categories', { name: 'Child', parent });
    const { body } = await get(`/api/categories/${id}?locale=de&populate=parent`);
    expect(body.data.attributes.locale).toBe('en');
    expect(body.data.attributes.parent.data.attributes.locale).toBe('fr');
    expect(idsOf(await get(`/api/categories?populate=parent&filters[parent][locale]=fr`))).toEqual([id]);
  });
});

describe('a new entry', () => {
  test.each([
    [{}, 'en'],
    [{ locale: null }, 'en'],
    [{ locale: 'de' }, 'de'],
  ])('with %j is in the locale %s, whatever the query contains', async (data, locale) => {
    const { body } = await client.post('/api/categories?locale=fr', { name: 'New', ...data });
    expect(body.data.attributes.locale).toBe(locale);
  });

  test.each(['', 'xx', 'EN', 7, {}])('in the locale %j is refused, before other errors', async (locale) => {
    const { status, body } = await client.post('/api/categories', { locale });
    expect(status).toBe(400);
    expect(body.error).toEqual({
      status: 400,
      name: 'ApplicationError',
      message: "This locale doesn't exist",
      details: {},
    });
  });

  test('is not linked to localizations by client data', async () => {
    const other = await create('categories', { name: 'Other' });
    const id = await create('categories', { name: 'Alone', locale: 'fr', localizations: [other] });
    expect(await localesOf('categories', id)).toEqual([]);
    await put(`/api/categories/${id}`, { localizations: [other], locale: 'de' });
    expect(await localesOf('categories', id)).toEqual([]);
    expect(await valuesOf('categories', id, 'locale')).toEqual(['fr']);
  });

  test('is linked to localizations by internal code', async () => {
    const { entries } = client.service;
    const { id } = await entries.create('api::category.category', { name: 'Own', position: 4 });
    const french = await entries.create('api::category.category', {
      name: 'Propre',
      locale: 'fr',
      localizations: [id],
    });
    expect(french).toMatchObject({ position: 4, locale: 'fr' });
    expect(await localesOf('categories', id)).toEqual(['fr']);
  });
});

describe('a localization', () => {
  test('is returned without data and meta, with all others, as a draft with the shared values', async () => {
    const id = await create('articles', {
      title: 'One',
      views: 7,
      kind: 'review',
      score: 2,
      bignum: '9007199254740993',
      seo: { metaTitle: 'en' },
      featured: true,
    });
    const { status, body } = await post(`/api/articles/${id}/localizations`, { locale: 'fr', title: 'Un' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      title: 'Un',
      views: 7,
      kind: 'review',
      bignum: '9007199254740993',
      score: null,
      featured: false,
      publishedAt: null,
      locale: 'fr',
      localizations: [{ id, title: 'One', locale: 'en' }],
    });
    expect(body).not.toHaveProperty('seo');
    expect(body.localizations[0]).not.toHaveProperty('localizations');
    expect((await get(`/api/articles/${body.id}?populate=seo`)).body.data.attributes.seo).toBeNull();
    expect(await localesOf('articles', id)).toEqual(['fr']);
  });

  test('is published and validated according to its publishedAt', async () => {
    const id = await create('articles', { title: 'Two' });
    const path = `/api/articles/${id}/localizations`;
    expect((await post(path, { locale: 'fr' })).body.error.message).toBe('title must be defined.');
    const published = await post(path, { locale: 'fr', title: 'Deux', publishedAt: '2024-01-01T00:00:00.000Z' });
    expect(published.body.publishedAt).toBe('2024-01-01T00:00:00.000Z');
    expect((await post(path, { locale: 'de', publishedAt: null })).body).toMatchObject({ title: null, locale: 'de' });
    expect(idsOf(await get(`/api/articles?locale=all&filters[title]=Deux`))).toEqual([published.body.id]);
  });

  test.each([
    [{ name: 'No locale' }, 'locale is missing'],
    [{ data: { locale: 'fr', name: 'In an envelope' } }, 'locale is missing'],
    [{ locale: null, name: 'Null' }, 'locale is missing'],
    [['fr'], 'locale is missing'],
    [{ locale: 'xx', name: 'Unknown' }, 'locale is invalid'],
    [{ locale: ['fr'], name: 'A list' }, 'locale is invalid'],
    [{ locale: 'en', name: 'Its own' }, 'locale is already used'],
    [{ locale: 'de', name: 'Another' }, 'locale is already used'],
  ])('is refused with the body %j: %s', async (body, message) => {
    const id = await create('categories', { name: 'Refused' });
    await localize('categories', id, { locale: 'de', name: 'Abgelehnt' });
    const answer = await post(`/api/categories/${id}/localizations`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toEqual({ status: 400, name: 'ApplicationError', message, details: {} });
  });

  test('is read from a form, whose files it gets', async () => {
    const id = await create('articles', { title: 'Form' });
    const form = new FormData();
    form.append('data', JSON.stringify({ locale: 'fr', title: 'Formulaire' }));
    form.append('files.cover', new Blob(['x'], { type: 'text/plain' }), 'x.txt');
    const { url, token } = client.service;
    const answer = await fetch(`${url}/api/articles/${id}/localizations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    const created: any = await answer.json();
    expect([answer.status, created]).toMatchObject([200, { title: 'Formulaire', locale: 'fr' }]);
    const { attributes } = (await get(`/api/articles/${created.id}?populate=cover`)).body.data;
    expect(attributes.cover.data.attributes.name).toBe('x.txt');
  });

  test('is refused by a policy that sees its form, before a file is stored', async () => {
    const id = await create('articles', { title: 'Judged' });
    const form = new FormData();
    form.append('data', JSON.stringify({ locale: 'fr', title: 'a secret' }));
    form.append('files.cover', new Blob(['x'], { type: 'text/plain' }), 'refused.txt');
    const { url, token } = client.service;
    const path = `${url}/api/articles/${id}/localizations`;
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(path, { method: 'POST', headers, body: form })).status).toBe(403);
    expect(judged.at(-1)).toEqual({ data: { locale: 'fr', title: 'a secret' } });
    expect((await get('/api/upload/files?filters[name]=refused.txt')).body).toEqual([]);
  });

  test.each(['99999', 'abc', '1.5', '-1'])('of the entry %s is refused', async (id) => {
    const { status, body } = await post(`/api/categories/${id}/localizations`, { locale: 'fr', name: 'None' });
    expect([status, body.error.name, body.error.message]).toEqual([404, 'NotFoundError', 'Entity not found']);
  });

  test('of an entry whose id has other digits is refused, as by every other route', async () => {
    const path = `/api/categories/0x${(await create('categories', { name: 'Other digits' })).toString(16)}`;
    const { status, body } = await post(`${path}/localizations`, { locale: 'fr', name: 'None' });
    expect([status, body.error.message]).toEqual([404, 'Entity not found']);
    expect((await get(path)).status).toBe(404);
  });

  test('is refused for types that are not localized', async () => {
    const id = await create('tags', { name: 'Unlocalized' });
    expect((await put(`/api/tags/${id}/localizations`, {})).status).toBe(405);
    const { status } = await client.post(`/api/tags/${id}/localizations`, { locale: 'fr', name: 'x' });
    expect(status).toBe(405);
  });

  test('requires its own permission, and returns and links only readable entries', async () => {
    const { entries } = client.service;
    const author = await create('authors', { name: 'Hidden' });
    const id = await create('articles', { title: 'Rights' });
    const token = async (name: string, ...permissions: readonly string[]): Promise<string> => {
      const accessKey = hashKey(name, salt);
      await entries.create('admin::api-token', { name, type: 'custom', accessKey, permissions });
      return name;
    };
    const body = { locale: 'fr', title: 'Droits', author };
    const creator = await token('may-create', 'api::article.article.create');
    expect((await post(`/api/articles/${id}/localizations`, body, creator)).status).toBe(403);
    const localizer = await token('may-localize', 'api::article.article.createLocalization');
    const answer = await post(`/api/articles/${id}/localizations`, body, localizer);
    expect(answer.status).toBe(200);
    expect(answer.body).not.toHaveProperty('localizations');
    expect(seen.at(-1)).toEqual(['token', [{ id, locale: 'en' }]]);
    const stored = await get(`/api/articles/${answer.body.id}?populate=author,localizations`);
    expect(stored.body.data.attributes.author.data).toBeNull();
    expect(stored.body.data.attributes.localizations.data).toHaveLength(1);
  });

  test('in one locale is created once by concurrent requests', async () => {
    const id = await create('categories', { name: 'Race' });
    const asking = Array.from({ length: 8 }, (_, index) =>
      post(`/api/categories/${id}/localizations`, { locale: 'fr', name: `Course ${index}` }),
    );
    const answers = await Promise.all(asking);
    const errors = answers.flatMap(({ status, body }) => (status === 200 ? [] : [body.error.message as string]));
    expect(errors).toEqual(Array.from({ length: 7 }, () => 'locale is already used'));
    expect(await localesOf('categories', id)).toEqual(['fr']);
  });

  test('is linked to the others, also to those created concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await create('categories', { name: 'Together' });
      const [fr, de] = await Promise.all([
        localize('categories', id, { locale: 'fr', name: 'Ensemble' }),
        localize('categories', id, { locale: 'de', name: 'Zusammen' }),
      ]);
      expect(await localesOf('categories', id)).toEqual(['de', 'fr']);
      expect(await localesOf('categories', fr)).toEqual(['de', 'en']);
      expect(await localesOf('categories', de)).toEqual(['en', 'fr']);
    }
  });

  test('that is deleted is unlinked from the others', async () => {
    const en = await create('categories', { name: 'Deleted' });
    const fr = await localize('categories', en, { locale: 'fr', name: 'Supprimé' });
    const de = await localize('categories', fr, { locale: 'de', name: 'Gelöscht' });
    await remove(`/api/categories/${fr}`);
    expect(await localesOf('categories', en)).toEqual(['de']);
    expect(await localesOf('categories', de)).toEqual(['en']);
    await localize('categories', de, { locale: 'fr', name: 'Encore' });
    expect(await localesOf('categories', en)).toEqual(['de', 'fr']);
  });
});

describe('a shared value', () => {
  test('is written to every localization', async () => {
    const en = await create('articles', { title: 'Shared', views: 1, rating: 1 });
    const fr = await localize('articles', en, { locale: 'fr', title: 'Partagé' });
    const de = await localize('articles', en, { locale: 'de', title: 'Geteilt', views: 2 });
    for (const id of [en, fr, de]) expect(await valuesOf('articles', id, 'views', 'rating')).toEqual([2, 1]);
    await put(`/api/articles/${fr}`, { views: 3, score: 5, title: 'Autre' });
    for (const id of [en, fr, de]) expect(await valuesOf('articles', id, 'views', 'rating')).toEqual([3, 1]);
    expect(await valuesOf('articles', en, 'title', 'score')).toEqual(['Shared', null]);
    await put(`/api/articles/${de}`, { rating: null });
    for (const id of [en, fr, de]) expect(await valuesOf('articles', id, 'views', 'rating')).toEqual([3, null]);
  });

  test('is in the other localizations after the response, which shows their previous value', async () => {
    const en = await create('articles', { title: 'Answer', views: 1 });
    const { body } = await post(`/api/articles/${en}/localizations`, { locale: 'fr', title: 'Réponse', views: 2 });
    expect(body).toMatchObject({ views: 2, localizations: [{ id: en, views: 1 }] });
    expect(await valuesOf('articles', en, 'views')).toEqual([2]);
    const { attributes } = (await put(`/api/articles/${en}?populate=localizations`, { views: 3 })).body.data;
    expect(attributes).toMatchObject({ views: 3, localizations: { data: [{ attributes: { views: 2 } }] } });
    expect(await valuesOf('articles', body.id, 'views')).toEqual([3]);
  });

  test('is written to all localizations or to none: what they were is stored before', async () => {
    const en = await create('articles', { title: 'Whole', views: 1 });
    const fr = await localize('articles', en, { locale: 'fr', title: 'Entier' });
    const { client: mongo } = client.service.database;
    const recorded: unknown[] = [];
    const note = ({ command }: { command: Document }): void => {
      if (command['insert'] === '_undo') recorded.push(...command['documents']);
    };
    mongo.on('commandStarted', note);
    await put(`/api/articles/${fr}`, { views: 2, title: 'Autre' });
    mongo.off('commandStarted', note);
    expect(recorded).toMatchObject([
      { id: fr, document: { title: 'Entier' } },
      { id: en, document: { title: 'Whole' } },
    ]);
    expect(await valuesOf('articles', en, 'views')).toEqual([2]);
  });

  test('that is invalid is changed in no localization', async () => {
    const en = await create('articles', { title: 'Wrong', views: 1 });
    const fr = await localize('articles', en, { locale: 'fr', title: 'Faux' });
    expect((await put(`/api/articles/${en}`, { views: -1 })).status).toBe(400);
    expect(await valuesOf('articles', fr, 'views')).toEqual([1]);
    expect((await put('/api/articles/99999', { views: 2 })).status).toBe(404);
  });

  // It repeats the race.
  test(
    'is equal everywhere after concurrent changes',
    async () => {
      const en = await create('articles', { title: 'Storm' });
      const fr = await localize('articles', en, { locale: 'fr', title: 'Tempête' });
      const de = await localize('articles', en, { locale: 'de', title: 'Sturm' });
      for (let round = 0; round < 10; round += 1) {
        const written = [0, 1, 2].map((index) => 3 * round + index);
        await Promise.all([en, fr, de].map((id, index) => put(`/api/articles/${id}`, { views: written[index] })));
        const stored = await Promise.all([en, fr, de].map((id) => valuesOf('articles', id, 'views')));
        const [[views] = []] = stored;
        expect(written).toContain(views);
        expect(stored).toEqual([[views], [views], [views]]);
      }
    },
    minutes(2),
  );
});

test('localizations are populated newest first, and for a new one in the order of its source entry', async () => {
  const en = await create('articles', { title: 'Order' });
  const fr = await localize('articles', en, { locale: 'fr', title: 'Ordre' });
  const de = await localize('articles', en, { locale: 'de', title: 'Ordnung' });
  const othersOf = async (id: number): Promise<readonly number[]> => {
    const { body } = await get(`/api/articles/${id}?populate=localizations&publicationState=preview`);
    return body.data.attributes.localizations.data.map((one: { id: number }) => one.id);
  };
  expect(await othersOf(en)).toEqual([de, fr]);
  expect(await othersOf(de)).toEqual([en, fr]);
  expect(await othersOf(fr)).toEqual([de, en]);
});

describe('a localized single type', () => {
  test('has an entry per locale, and is created in the default locale', async () => {
    const titled = async (parameters: string): Promise<string> =>
      (await get(`/api/homepage?${parameters}`)).body.data?.attributes.title as string;
    expect((await post('/api/homepage/localizations', { locale: 'fr', title: 'x' })).body.error.message).toBe(
      'Entity not found',
    );
    const { body } = await put('/api/homepage?locale=fr', { title: 'Welcome', layoutName: 'wide' });
    expect(body.data.attributes.locale).toBe('en');
    const german = await post('/api/homepage/localizations', { locale: 'de', title: 'Hallo' });
    expect(german.body).toMatchObject({ layoutName: 'wide', publishedAt: null, localizations: [{ title: 'Welcome' }] });
    expect((await get('/api/homepage?locale=de')).status).toBe(404);
    expect(await titled('locale=de&publicationState=preview')).toBe('Hallo');

    const refused = await put('/api/homepage?locale=fr', { title: 'Bienvenue' });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({ name: 'ValidationError', message: 'singleType.alreadyExists' });

    expect((await remove('/api/homepage?locale=de')).status).toBe(404);
    await put('/api/homepage?locale=de', { publishedAt: new Date().toISOString(), layoutName: 'narrow' });
    expect(await titled('locale=de')).toBe('Hallo');
    expect((await get('/api/homepage')).body.data.attributes.layoutName).toBe('narrow');
    expect((await remove('/api/homepage')).status).toBe(200);
    expect((await get('/api/homepage')).status).toBe(404);
    expect((await remove('/api/homepage?locale=de')).body.data.attributes.title).toBe('Hallo');
  });
});
