import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { corpus } from '../support/service.js';
import { checkData } from './check-data.js';
import { makeProject, startService, type Project, type ServiceProcess } from './service-process.js';

const PROCESSES = 4;
const name = `four_${process.pid}`;
const uri = process.env['TEST_MONGODB_URI'] ?? '';
/** A built checkout of another version, of which two of the processes are. */
const otherVersion = process.env['OTHER_VERSION'];
const environment = { DATABASE: 'auto', MONGODB_URI: uri, DATABASE_NAME: name };

let project: Project;
let services: readonly ServiceProcess[] = [];

// All at once, on a database with nothing in it.
beforeAll(async () => {
  project = makeProject(corpus);
  mkdirSync(path.join(project.folder, 'config'));
  const plugins = {
    upload: { config: { provider: 'gridfs' } },
    i18n: { config: { locales: ['en', 'fr', 'de'] } },
    'users-permissions': { config: { rateLimit: { attempts: 5, minutes: 5 } } },
  };
  writeFileSync(path.join(project.folder, 'config', 'plugins.json'), JSON.stringify(plugins));
  services = await asMany(PROCESSES, (turn) =>
    startService(project, environment, undefined, turn % 2 === 1 ? otherVersion : undefined),
  );
});
afterAll(async () => {
  const client = await new MongoClient(uri).connect();
  try {
    // Each ends with 0.
    await Promise.all(services.map((service) => service.stop()));
  } finally {
    await client.db(name).dropDatabase();
    await client.close();
    project.remove();
  }
});

// oxlint-disable-next-line typescript/no-explicit-any
type Answer = { readonly status: number; readonly body: any };

/** Asks one of the processes; they take turns. */
async function ask(turn: number, method: string, address: string, data?: object, token?: string): Promise<Answer> {
  const answer = await fetch(`${services[turn % PROCESSES]?.url}${address}`, {
    method,
    headers: {
      ...(token !== '' && { authorization: `Bearer ${token ?? project.token}` }),
      'content-type': 'application/json',
    },
    ...(data !== undefined && { body: JSON.stringify(data) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text };
}

const asMany = <T>(count: number, work: (turn: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, turn) => work(turn)));
const statuses = (answers: readonly Answer[]): readonly number[] => answers.map(({ status }) => status);
const create = async (turn: number, collection: string, data: object): Promise<Answer> =>
  ask(turn, 'POST', `/api/${collection}`, { data });
/**
 * Creates an entry as a client does that repeats what gets 409: on a busy machine others can lock an entry for longer
 * than a write waits.
 */
async function createUnlocked(turn: number, collection: string, data: object): Promise<Answer> {
  const answer = await create(turn, collection, data);
  return answer.status === 409 ? createUnlocked(turn, collection, data) : answer;
}

test('ids are allocated once without gaps, and totals are correct in every process immediately', async () => {
  const made = await asMany(100, (turn) => create(turn, 'authors', { name: `Author ${turn}` }));
  const ids = made.map(({ body }) => body.data.id as number).toSorted((a, b) => a - b);
  expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  for (let turn = 0; turn < 8; turn += 1) {
    await create(turn, 'authors', { name: 'One more' });
    const totals = await asMany(PROCESSES, (other) => ask(other, 'GET', '/api/authors?pagination[pageSize]=1'));
    expect(totals.map(({ body }) => body.meta.pagination.total)).toEqual(Array(PROCESSES).fill(101 + turn));
  }
});

test('one of several entries with the same unique value is stored across processes', async () => {
  const answers = await asMany(40, (turn) => create(turn, 'tags', { name: `Tag ${Math.floor(turn / PROCESSES)}` }));
  expect(statuses(answers).filter((status) => status === 200)).toHaveLength(10);
  expect(statuses(answers).filter((status) => status === 400)).toHaveLength(30);
});

test('an exclusive relation has exactly one owner after concurrent takeovers', async () => {
  const { body } = await create(0, 'seo-cards', { headline: 'Wanted' });
  const card = body.data.id as number;
  const made = await asMany(8, (turn) => createUnlocked(turn, 'articles', { title: `Holder ${turn}`, seoCard: card }));
  expect(new Set(statuses(made))).toEqual(new Set([200]));
  const found = await ask(1, 'GET', `/api/articles?filters[seoCard][id]=${card}&publicationState=preview`);
  expect(found.body.data).toHaveLength(1);
});

test('concurrent requests create each localization once', async () => {
  expect((await ask(2, 'GET', '/api/i18n/locales')).body.map(({ code }: { code: string }) => code)).toEqual([
    'en',
    'fr',
    'de',
  ]);
  const { body } = await create(0, 'articles', { title: 'Shared', locale: 'en' });
  const add = (turn: number): Promise<Answer> =>
    ask(turn, 'POST', `/api/articles/${body.data.id}/localizations`, { title: `Partagé ${turn}`, locale: 'fr' });
  expect(statuses(await asMany(8, add)).filter((status) => status === 200)).toHaveLength(1);
  const read = await asMany(PROCESSES, (turn) =>
    ask(turn, 'GET', `/api/articles/${body.data.id}?populate=localizations&publicationState=preview`),
  );
  for (const answer of read) expect(answer.body.data.attributes.localizations.data).toHaveLength(1);
});

test('permissions granted by the command apply in every process', async () => {
  const read = (): Promise<Answer[]> => asMany(PROCESSES, (turn) => ask(turn, 'GET', '/api/tags', undefined, ''));
  expect(statuses(await read())).toEqual(Array(PROCESSES).fill(403));
  const { MONGODB_URI: _, ...others } = process.env;
  const { status } = spawnSync(
    process.execPath,
    [path.resolve('bin/content-service.mjs'), 'access', 'grant', 'public', 'api::tag.tag.find'],
    {
      cwd: project.folder,
      encoding: 'utf8',
      env: { ...others, NODE_ENV: 'development', FAULT_TOKEN: project.token, ...environment },
    },
  );
  expect(status).toBe(0);
  let seen = statuses(await read());
  while (seen.includes(403)) {
    await wait(100);
    seen = statuses(await read());
  }
  expect(seen).toEqual(Array(PROCESSES).fill(200));
});

test('a login in one process is valid in all, and attempts are counted together', async () => {
  const person = { username: 'ada', email: 'ada@example.test', password: 'secret-of-ada' };
  const registered = await ask(0, 'POST', '/api/auth/local/register', person, '');
  expect(registered.status).toBe(200);
  const { jwt } = registered.body as { jwt: string };
  const me = await asMany(PROCESSES, (turn) => ask(turn, 'GET', '/api/users/me', undefined, jwt));
  expect(statuses(me)).toEqual(Array(PROCESSES).fill(200));

  const attempts = await asMany(12, (turn) =>
    ask(turn, 'POST', '/api/auth/local', { identifier: 'ada', password: 'wrong' }, ''),
  );
  expect(statuses(attempts).filter((status) => status === 400)).toHaveLength(5);
  expect(statuses(attempts).filter((status) => status === 429)).toHaveLength(7);
});

test('a file uploaded to one process is served by all, and deleted for all', async () => {
  const form = new FormData();
  form.set('files', new Blob(['one for all'], { type: 'text/plain' }), 'shared.txt');
  const authorization = `Bearer ${project.token}`;
  const sent = await fetch(`${services[0]?.url}/api/upload`, {
    method: 'POST',
    headers: { authorization },
    body: form,
  });
  const [file] = (await sent.json()) as [{ id: number; url: string }];
  const read = (): Promise<Answer[]> => asMany(PROCESSES, (turn) => ask(turn, 'GET', file.url));
  expect((await read()).map(({ body }) => String(body))).toEqual(Array(PROCESSES).fill('one for all'));
  expect((await ask(3, 'DELETE', `/api/upload/files/${file.id}`)).status).toBe(200);
  expect(statuses(await read())).toEqual(Array(PROCESSES).fill(404));
});

test('after these tests check-data finds no violation', () => {
  expect(checkData(project, environment)).toContain('no violations');
});
