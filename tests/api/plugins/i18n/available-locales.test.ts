import { beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { hashKey } from '../../../../src/plugins/api-tokens/definition.js';
import { commandsOf } from '../../../support/commands.js';
import { useService, type Answer } from '../../../support/service.js';

const salt = 'a salt for the tests of locales';
const client = useService({
  plugins: { i18n: { config: { locales: ['en', 'fr', 'de'] } } },
  environment: { API_TOKEN_SALT: salt, JWT_SECRET: 'a secret for the tests of locales' },
});
const { get, put, delete: remove, create } = client;

async function localize(path: string, data: object): Promise<number> {
  const { url, token } = client.service;
  const { status, body } = await request(url)
    .post(`/api/${path}/localizations`)
    .auth(token, { type: 'bearer' })
    .send(data);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.id as number;
}

const metaOf = ({ body }: Answer): unknown => body.data.meta;
const listed = (entries: Answer['body'][]): unknown => entries.map(({ id, meta }) => [id, meta]);
const available = (...availableLocales: object[]): object => ({ availableLocales });

describe('meta.availableLocales of a single entry', () => {
  test('lists its other localizations at every level, also drafts, without another command', async () => {
    const parent = await create('categories', { name: 'Parent' });
    expect((await client.post('/api/categories', { name: 'Alone' })).body.data.meta).toEqual(available());
    const fr = await localize(`categories/${parent}`, { locale: 'fr', name: 'Parente' });
    const id = await create('articles', { title: 'Told', category: parent });
    const de = await localize(`articles/${id}`, { locale: 'de', title: 'Gesagt' });
    const path = `/api/articles/${id}?populate[category][fields]=name&populate[tags]=true`;
    let answer = await get(path);
    const commands = await commandsOf(client.service, async () => {
      answer = await get(path);
    });
    expect(metaOf(answer)).toEqual(available({ id: de, locale: 'de' }));
    expect(answer.body.data.attributes.category.data).toEqual({
      id: parent,
      attributes: { name: 'Parent' },
      meta: available({ id: fr, locale: 'fr' }),
    });
    expect(commands).toEqual(['aggregate']);
    expect((await get('/api/tags?pagination[limit]=1')).body.data[0] ?? {}).not.toHaveProperty('meta');
    expect(metaOf(await put(`/api/articles/${de}`, { title: 'Anders' }))).toEqual(available({ id, locale: 'en' }));
    await remove(`/api/articles/${de}`);
    expect(metaOf(await get(path))).toEqual(available());
  });
});

describe('a list of published entries omits drafts from meta.availableLocales', () => {
  const tag = { name: 'Locales' };
  let [en, fr, de, alone, tagged]: number[] = [];
  beforeAll(async () => {
    en = await create('articles', { title: 'List' });
    fr = await localize(`articles/${en}`, { locale: 'fr', title: 'Liste', publishedAt: new Date() });
    de = await localize(`articles/${en}`, { locale: 'de', title: 'Auflistung' });
    alone = await create('articles', { title: 'List alone' });
    tagged = await create('tags', { ...tag, articles: [en, alone] });
  });
  const list = '/api/articles?filters[title][$startsWith]=List&sort=id&fields=title&pagination[withCount]=false';
  const live = (): unknown => [
    [en, available({ id: fr, locale: 'fr' })],
    [alone, available()],
  ];
  const all = (): unknown => [
    [en, available({ id: de, locale: 'de' }, { id: fr, locale: 'fr' })],
    [alone, available()],
  ];

  test('reading them with the page in one command', async () => {
    let answer = await get(list);
    const commands = await commandsOf(client.service, async () => {
      answer = await get(list);
    });
    expect(listed(answer.body.data)).toEqual(live());
    expect(commands).toEqual(['aggregate']);
  });

  test('and each read of one entry by a unique value in one command', async () => {
    const slugs = ['told', 'said', 'alone'];
    const others: (number | undefined)[] = [];
    for (const slug of slugs) {
      const id = await create('articles', { title: slug, slug });
      const localization = { title: slug, slug: `${slug}-fr`, publishedAt: slug === 'said' ? null : new Date() };
      others.push(slug === 'alone' ? undefined : await localize(`articles/${id}`, { locale: 'fr', ...localization }));
    }
    const requested = Array.from({ length: 40 }, (_, index) => index % slugs.length);
    let answers: readonly Answer[] = [];
    const commands = await commandsOf(client.service, async () => {
      answers = await Promise.all(requested.map((index) => get(`/api/articles/by/slug/${slugs[index]}?fields=title`)));
    });
    expect(answers.map(metaOf)).toEqual(
      requested.map((index) => (index === 0 ? available({ id: others[0], locale: 'fr' }) : available())),
    );
    expect(answers.map(({ body }) => body.data.attributes)).toEqual(
      requested.map((index) => ({ title: slugs[index] })),
    );
    expect(commands).toEqual(requested.map(() => 'aggregate'));
  });

  test('next to populated localizations, and with a cursor', async () => {
    const { data } = (await get(`${list}&populate[localizations][fields]=locale`)).body;
    expect(listed(data)).toEqual(live());
    expect(data[0].attributes.localizations.data.map(({ id }: { id: number }) => id)).toEqual([fr]);
    expect(listed((await get(`${list}&pagination[after]=`)).body.data)).toEqual(live());
  });

  test('but a list with drafts contains them', async () => {
    expect(listed((await get(`${list}&publicationState=preview`)).body.data)).toEqual(all());
  });

  test('and nested entries by the publication state of their level', async () => {
    const related = async (parameters: string): Promise<unknown> => {
      const path = `/api/tags?filters[name]=${tag.name}&populate[articles][sort]=id&populate[articles][fields]=title`;
      const { data } = (await get(path + parameters)).body;
      return listed(data[0].attributes.articles.data);
    };
    expect(await related('')).toEqual(live());
    expect(await related('&populate[articles][publicationState]=preview')).toEqual(all());
    const one = await get(`/api/tags/${tagged}?populate[articles][sort]=id`);
    expect(listed(one.body.data.attributes.articles.data)).toEqual(all());
    const within = await get(
      `/api/tags/${tagged}?populate[articles][publicationState]=live&populate[articles][sort]=id`,
    );
    expect(listed(within.body.data.attributes.articles.data)).toEqual(live());
  });

  test('also for a single type', async () => {
    await put('/api/homepage', { title: 'Home' });
    const draft = await localize('homepage', { locale: 'de', title: 'Heim' });
    expect(metaOf(await get('/api/homepage'))).toEqual(available());
    expect(metaOf(await get('/api/homepage?publicationState=preview'))).toEqual(available({ id: draft, locale: 'de' }));
  });

  test('and GraphQL does not read localizations', async () => {
    const query = '{ articles(sort: "id") { data { id attributes { title } } } }';
    await client.graphql(query);
    expect(await commandsOf(client.service, () => client.graphql(query))).toEqual(['find']);
  });
});

test('meta.availableLocales is absent for a caller who cannot list the type', async () => {
  await client.service.entries.create('admin::api-token', {
    name: 'one by one',
    type: 'custom',
    permissions: ['api::article.article.findOne'],
    accessKey: hashKey('one-by-one', salt),
  });
  const id = await create('articles', { title: 'One' });
  await localize(`articles/${id}`, { locale: 'fr', title: 'Un' });
  const { status, body } = await request(client.service.url)
    .get(`/api/articles/${id}`)
    .auth('one-by-one', { type: 'bearer' });
  expect([status, body.data.id]).toEqual([200, id]);
  expect(body.data).not.toHaveProperty('meta');
});

describe('With REST_ENTRY_META=false', () => {
  const silent = useService({ environment: { REST_ENTRY_META: 'false' } });

  test('entries have no meta.availableLocales', async () => {
    const id = await silent.create('categories', { name: 'Silent' });
    expect((await silent.get(`/api/categories/${id}`)).body.data).not.toHaveProperty('meta');
  });
});
