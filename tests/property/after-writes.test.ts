import { beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { AppError } from '../../src/errors/app-error.js';
import type { Lifecycle } from '../../src/plugins/contract/extension.js';
import fc from '../support/fast-check.js';
import { scaled } from '../support/scaled.js';
import { useService } from '../support/service.js';

/** What an `after` hook throws. */
let thrown: (() => unknown) | undefined;
const calls: string[] = [];
const failing: Lifecycle = Object.fromEntries(
  ['afterCreate', 'afterUpdate', 'afterDelete'].map((name) => [
    name,
    () => {
      if (thrown === undefined) return;
      calls.push(name);
      throw thrown();
    },
  ]),
);

const client = useService({
  extension: {
    lifecycles: { 'api::tag.tag': failing, 'api::article.article': failing, 'api::homepage.homepage': failing },
  },
  plugins: { versions: true, i18n: { config: { locales: ['en', 'fr', 'de'] } } },
  environment: { EVENTS: 'true' },
});

const errors: readonly (() => unknown)[] = [
  () => new AppError('application', 'Refused'),
  () => new AppError('forbidden'),
  () => new AppError('notFound'),
  () => new AppError('unavailable'),
  () => new TypeError('An error of code'),
  () => 'a text',
];

let number = 0;
const names = (): string => `name ${(number += 1)}`;

interface Write {
  readonly method: 'post' | 'put' | 'delete';
  readonly path: string;
  readonly body: object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the database has after it. */
  readonly expected: () => Promise<boolean>;
}

const has = async (uid: string, filters: object): Promise<boolean> =>
  (await client.service.entries.count(uid, { filters, locale: 'all' })) > 0;
const tag = 'api::tag.tag';
const make = async (): Promise<number> => {
  const former = thrown;
  thrown = undefined;
  const id = await client.create('tags', { name: names() });
  thrown = former;
  return id;
};
const makeArticle = async (): Promise<number> => {
  const former = thrown;
  thrown = undefined;
  const id = await client.create('articles', { title: names() });
  thrown = former;
  return id;
};

const writes: Readonly<Record<string, () => Promise<Write>>> = {
  create: async () => {
    const name = names();
    return { method: 'post', path: '/api/tags', body: { data: { name } }, expected: () => has(tag, { name }) };
  },
  update: async () => {
    const [id, name] = [await make(), names()];
    const body = { data: { name } };
    return { method: 'put', path: `/api/tags/${id}`, body, expected: () => has(tag, { id, name }) };
  },
  'conditional update': async () => {
    const [id, name] = [await make(), names()];
    const headers = { 'If-Match': '*' };
    return {
      method: 'put',
      path: `/api/tags/${id}`,
      body: { data: { name } },
      headers,
      expected: () => has(tag, { id, name }),
    };
  },
  'keyed creation': async () => {
    const name = names();
    const headers = { 'Idempotency-Key': `key-${number}` };
    return { method: 'post', path: '/api/tags', body: { data: { name } }, headers, expected: () => has(tag, { name }) };
  },
  delete: async () => {
    const id = await make();
    return {
      method: 'delete',
      path: `/api/tags/${id}`,
      body: undefined,
      expected: async () => !(await has(tag, { id })),
    };
  },
  'conditional deletion': async () => {
    const id = await make();
    const headers = { 'If-Match': '*' };
    return {
      method: 'delete',
      path: `/api/tags/${id}`,
      body: undefined,
      headers,
      expected: async () => !(await has(tag, { id })),
    };
  },
  'single type': async () => {
    const title = names();
    return {
      method: 'put',
      path: '/api/homepage',
      body: { data: { title } },
      expected: () => has('api::homepage.homepage', { title }),
    };
  },
  localization: async () => {
    const [id, title] = [await makeArticle(), names()];
    return {
      method: 'post',
      path: `/api/articles/${id}/localizations`,
      body: { locale: 'fr', title },
      expected: () => has('api::article.article', { title }),
    };
  },
  batch: async () => {
    const [id, name, gone] = [await make(), names(), await make()];
    const operations = [
      { create: 'tags', data: { name } },
      { update: 'tags', id, data: { name: `${name} too` } },
      { delete: 'tags', id: gone },
    ];
    return {
      method: 'post',
      path: '/api/batch',
      body: { operations },
      expected: async () =>
        (await has(tag, { name })) && (await has(tag, { id, name: `${name} too` })) && !(await has(tag, { id: gone })),
    };
  },
  mutation: async () => {
    const name = names();
    const query = `mutation { createTag(data: { name: "${name}" }) { data { id } } }`;
    return { method: 'post', path: '/graphql', body: { query }, expected: () => has(tag, { name }) };
  },
};

beforeAll(() => client.put('/api/homepage', { title: 'Home' }));

test('a write is answered as stored, whatever a hook throws after it', async () => {
  const cases = fc.record({ write: fc.constantFrom(...Object.keys(writes)), error: fc.constantFrom(...errors) });
  await fc.assert(
    fc.asyncProperty(cases, async ({ write, error }) => {
      const { method, path, body, headers = {}, expected } = await (writes[write] as () => Promise<Write>)();
      calls.length = 0;
      thrown = error;
      const begun = request(client.service.url)[method](path);
      const sent = begun.auth(client.service.token, { type: 'bearer' }).set(headers);
      const answer = await (body === undefined ? sent : sent.send(body));
      thrown = undefined;
      expect([write, answer.status, answer.body.errors]).toEqual([write, 200, undefined]);
      expect(calls).not.toEqual([]);
      expect([write, await expected()]).toEqual([write, true]);
    }),
    { numRuns: scaled(60, 1000) },
  );
});
