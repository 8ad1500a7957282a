import { beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare, type Permission } from '../support/access.js';
import { createUser } from '../support/create-user.js';
import { randomNumbers } from '../support/random-numbers.js';
import { minutes, scaled, seed } from '../support/scaled.js';
import { useService } from '../support/service.js';
import { choicesOf } from './choices.js';

const ROUNDS = Number(process.env['RUNS'] ?? scaled(4, 60));
const STEPS = 12;
const password = 'works-at-the-paper';
const uid = 'api::article.article';

const client = useService({
  contentTypes: 'packages/versions/tests/content-types',
  environment: { EVENTS: 'true' },
  plugins: {
    admin: true,
    versions: true,
    i18n: { config: { locales: ['en', 'de'] } },
    'users-permissions': { config: { rateLimit: false } },
  },
});

const reading = [`${uid}.find`, `${uid}.findOne`];
const roles: Readonly<Record<string, readonly Permission[]>> = {
  // Those who have requests.
  writer: [...reading, `${uid}.find.drafts`, `${uid}.create.drafts`, `${uid}.update.drafts`],
  chief: [...reading, `${uid}.find.drafts`, `${uid}.create`, `${uid}.update`, `${uid}.delete`],
  // Those who must not learn that there are any.
  reader: reading,
  previewer: [...reading, `${uid}.find.drafts`],
  corrector: [...reading, `${uid}.update`],
  other: [...reading, `${uid}.find.drafts`, { action: `${uid}.update`, where: { title: 'Of others' } }],
};
const outsiders = ['public', 'reader', 'previewer', 'corrector', 'other'] as const;

const tokens = new Map<string, string>();
const send = async (name: string, method: 'get' | 'post' | 'delete', path: string, body?: object) => {
  const token = tokens.get(name);
  // As a long poll, where an address has both.
  const sent = request(client.service.url)[method](path).set('Accept', 'application/json');
  const authorized = token === undefined ? sent : sent.auth(token, { type: 'bearer' });
  return body === undefined ? authorized : authorized.send(body);
};

const ids: number[] = [];
beforeAll(async () => {
  await declare(client.service, {
    ...roles,
    public: [...reading, 'plugin::users-permissions.auth.callback'],
  });
  const { entries } = client.service;
  const found = await entries.findMany('plugin::users-permissions.role', {});
  for (const name of Object.keys(roles)) {
    await createUser(client, name, password);
    const [user] = await entries.findMany('plugin::users-permissions.user', { filters: { username: name } });
    const role = found.find(({ type }) => type === name)?.id;
    await entries.update('plugin::users-permissions.user', user?.id ?? 0, { role });
    tokens.set(name, (await send(name, 'post', '/api/auth/local', { identifier: name, password })).body.jwt);
  }
  for (const title of ['One', 'Two', 'Three', 'Four']) ids.push(await client.create('articles', { title }));
  for (const title of ['Five', 'Six']) ids.push(await client.create('articles', { title, publishedAt: null }));
  for (const id of ids.slice(0, 3)) await client.put(`/api/articles/${id}?status=draft`, { price: id });
});

const lists = [
  '/api/articles?populate=*&sort=updatedAt',
  '/api/articles?status=draft&populate=*&sort=updatedAt:desc',
  '/api/articles?publicationState=preview&sort=id&modified=true',
  '/api/articles/aggregate?groupBy=title&publicationState=preview',
  '/api/articles?_q=o&locale=all&sort=id',
  '/api/admin/desk',
  '/api/admin/content',
];

/** All that an outsider can learn about the entries, and about requests to publish them. */
async function learnedBy(name: string, since: string): Promise<readonly unknown[]> {
  const about = ids.flatMap((id) => [`/api/articles/${id}`, `/api/articles/${id}?status=draft`]);
  const told = [...ids, 999].flatMap((id) => [
    ['get', `/api/articles/${id}/review`, undefined] as const,
    ['post', `/api/articles/${id}/review`, { note: 5 }] as const,
    ['post', `/api/articles/${id}/review/publish`, { tag: 'forged' }] as const,
    ['post', `/api/articles/${id}/review/return`, { tag: 'forged', note: 'No' }] as const,
    ['get', `/api/articles/${id}/versions`, undefined] as const,
    ['get', `/api/admin/writers/${uid}/${id}`, undefined] as const,
  ]);
  const asked = [...[...lists, ...about].map((path) => ['get', path, undefined] as const), ...told];
  const answers = [];
  for (const [method, path, body] of asked) {
    const { status, text, headers } = await send(name, method, path, body);
    answers.push([method, path, status, text, headers['etag'], headers['x-total-count']]);
  }
  const changes = await send(name, 'get', `/api/changes?wait=0&since=${since}`);
  return [...answers, ['feed', changes.status, changes.body.data]];
}

/** Law 10 of the review: to those who may not answer them, requests do not exist. */
test(
  'nobody learns of a request who may neither ask nor answer it',
  async () => {
    const random = randomNumbers(seed);
    const { position } = (await send('reader', 'get', '/api/changes?wait=0')).body.meta;
    const learned = async () => {
      const all = [];
      for (const name of outsiders) all.push([name, await learnedBy(name, position)]);
      return all;
    };
    const before = await learned();
    const done = { ask: 0, withdraw: 0, 'send back': 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const choices = choicesOf(Array.from({ length: STEPS * 3 }, () => Math.floor(random() * 1000)));
      for (let step = 0; step < STEPS; step += 1) {
        const path = `/api/articles/${choices.oneOf(ids)}/review`;
        const did = choices.oneOf(['ask', 'ask', 'withdraw', 'send back'] as const);
        const { body } = await send('chief', 'get', path);
        const answer =
          did === 'ask'
            ? await send('writer', 'post', path, { note: `Round ${round}` })
            : did === 'withdraw'
              ? await send('writer', 'delete', path)
              : await send('chief', 'post', `${path}/return`, { tag: body.data?.tag ?? 'none', note: 'Which flour?' });
        if (answer.status === 200) done[did] += 1;
      }
      expect([round, await learned()]).toEqual([round, before]);
    }
    // Each of them has happened.
    expect(Object.values(done).every((count) => count > 0)).toBe(true);
  },
  minutes(5),
);
