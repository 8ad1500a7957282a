import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { createService, type Service } from '../../src/app/app.js';
import { loadConfig } from '../../src/config/load-config.js';
import { openDatabase } from '../../src/mongo/connection/open-database.js';
import { declare, keyOf } from '../support/access.js';
import fc from '../support/fast-check.js';
import { minutes, scaled, seed } from '../support/scaled.js';
import { useService } from '../support/service.js';
import { choicesOf, type Choices } from './choices.js';

const contentTypes = 'tests/api/documents/working-copies/reported-types';
const environment = { API_TOKEN_SALT: 'the salt of all', RESPONSE_CACHE: '1mb' };
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const STEPS = Number(process.env['STEPS'] ?? scaled(15, 300));

/** Two processes with caches of their own, and one without. */
const client = useService({ contentTypes, environment, plugins: { i18n: { config: { locales: ['en', 'de'] } } } });
let other: Service;
let uncached: Service;
beforeAll(async () => {
  const { database, dataFolder } = client.service;
  const open = async (variables: object): Promise<Service> => {
    const config = await loadConfig(
      {
        NODE_ENV: 'test',
        CONTENT_TYPES: path.resolve(contentTypes),
        MONGODB_URI: process.env['TEST_MONGODB_URI'],
        DATABASE_NAME: database.db.databaseName,
        API_TOKEN_SALT: environment.API_TOKEN_SALT,
        ...variables,
      },
      dataFolder,
    );
    return createService(config, openDatabase({ ...config.database, dataFolder }, log), log);
  };
  [other, uncached] = [await open(environment), await open({ RESPONSE_CACHE: '0' })];
});
afterAll(async () => {
  for (const service of [other, uncached]) await service.close();
});

/** What readers see, who have no right to drafts. */
const live = [
  '/api/pages?populate=*&sort=id',
  '/api/pages?populate=*&sort=id&locale=all',
  '/api/pages?filters[category][name]=one&sort=category.name,id',
  '/api/pages/count?filters[price][$gt]=2&locale=all',
  '/api/categories?populate[pages][populate]=parent&sort=id',
  '/api/categories?filters[pages][title]=one&sort=pages.title,id',
];
const previews = live.flatMap((address) => [`${address}&status=draft`, `${address}&publicationState=preview`]);

const READER = 'reader';
const get = async (
  { handler }: Pick<Service, 'handler'>,
  address: string,
  key: string,
): Promise<readonly unknown[]> => {
  const { status, text } = await request(handler).get(address).auth(key, { type: 'bearer' });
  expect([address, status]).toEqual([address, 200]);
  return [address, text];
};

test(
  'a preview from a cache is that of the database, whichever process writes, and saves change no answer for readers',
  async () => {
    const { token } = client.service;
    const uids = ['page', 'category'].map((name) => `api::${name}.${name}`);
    await declare(client.service, {}, { [READER]: uids.flatMap((uid) => [`${uid}.find`, `${uid}.findOne`]) });
    const categories = [
      await client.create('categories', { name: 'one' }),
      await client.create('categories', { name: 'two' }),
    ];
    const pages: number[] = [];
    for (const title of ['one', 'two', 'three', 'four'])
      pages.push(await client.create('pages', { title, price: pages.length, category: categories[pages.length % 2] }));
    const { body } = await request(client.service.handler)
      .post(`/api/pages/${pages[0]}/localizations`)
      .auth(token, { type: 'bearer' })
      .send({ locale: 'de', title: 'eins', publishedAt: new Date() });
    pages.push(body.id as number);

    const trace: string[] = [];
    const readAll = async (service: Pick<Service, 'handler'>, addresses: readonly string[], key: string) =>
      Promise.all(addresses.map((address) => get(service, address, key)));
    /** Returns whether it saves or discards a copy. */
    const write = async (choices: Choices): Promise<boolean> => {
      const isPage = choices.chance(75);
      const address = isPage ? `/api/pages/${choices.oneOf(pages)}` : `/api/categories/${choices.oneOf(categories)}`;
      const text = choices.oneOf(['one', 'two', 'three']);
      const values: readonly object[] = isPage
        ? [
            { title: text },
            { price: choices.below(5) },
            { category: choices.oneOf([...categories, null]) },
            { parent: choices.oneOf(pages) },
            { keywords: categories.filter(() => choices.chance(50)) },
          ]
        : [{ name: text }];
      const data = choices.oneOf(values);
      const ways: readonly (readonly ['put' | 'delete', string, object])[] = [
        ['put', '?status=draft', data],
        ['put', '?status=draft', data],
        ['put', '?status=draft', data],
        ['put', '', data],
        ['put', '?status=published', {}],
        ['put', '?status=published', data],
        ['put', '', { publishedAt: choices.chance(50) ? null : new Date(2024, 1, 1) }],
        ['delete', '?status=draft', {}],
      ];
      const [method, query, sent] = choices.oneOf(ways);
      const { body: stored } = await request(uncached.handler).get(address).auth(token, { type: 'bearer' });
      const isSave = query === '?status=draft' && stored.data.attributes.publishedAt !== null;
      const sending = request(choices.oneOf([client.service, other]).handler);
      const sentTo = method === 'put' ? sending.put(`${address}${query}`) : sending.delete(`${address}${query}`);
      const { status } = await sentTo.auth(token, { type: 'bearer' }).send({ data: sent });
      expect(status).not.toBeGreaterThanOrEqual(500);
      trace.push(`${method} ${address}${query} ${JSON.stringify(sent)}: ${status}`);
      return isSave;
    };
    const [numbers = []] = fc.sample(fc.array(fc.nat(), { minLength: STEPS * 12, maxLength: STEPS * 12 }), {
      seed,
      numRuns: 1,
    });
    const choices = choicesOf(numbers);
    let changed = 0;
    for (let step = 0; step < STEPS; step += 1) {
      const before = await readAll(uncached, live, keyOf(READER));
      const previewed = await readAll(uncached, previews, token);
      const isSave = await write(choices);
      const about = { seed, trace: trace.slice(-8).join('\n') };
      const shown = await readAll(uncached, previews, token);
      if (JSON.stringify(shown) !== JSON.stringify(previewed)) changed += 1;
      for (const service of [client.service, other]) {
        expect({ ...about, shown: await readAll(service, previews, token) }).toEqual({ ...about, shown });
        const seen = await readAll(uncached, live, keyOf(READER));
        expect({ ...about, seen: await readAll(service, live, keyOf(READER)) }).toEqual({ ...about, seen });
        if (isSave) expect({ ...about, seen }).toEqual({ ...about, seen: before });
      }
    }
    expect(changed).toBeGreaterThan(STEPS / 4);
  },
  minutes(5),
);
