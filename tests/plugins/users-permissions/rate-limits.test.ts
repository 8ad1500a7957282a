import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { openRateLimits } from '../../../src/mongo/rate-limits.js';
import { countAttempts } from '../../../src/plugins/users-permissions/attempts.js';
import { usePeople } from './people.js';

const people = usePeople({ plugins: { 'users-permissions': { config: { rateLimit: { attempts: 5, minutes: 5 } } } } });
/** Addresses and accounts are counted apart, so each test takes an account of its own, and one address is all there is. */
const forget = () => people.service.database.db.collection('_rate_limits').deleteMany({});

describe('S48: the sixth wrong password within five minutes is refused', () => {
  test('whatever else the request says', async () => {
    await forget();
    const variants = [
      ['/api/auth/local', {}, {}],
      ['/api/auth/local', { email: 'a@b.test' }, {}],
      ['/api/auth/local/', { email: 'c@d.test' }, {}],
      ['/API/Auth/Local', {}, {}],
      ['/api/auth/local?x=1', {}, { 'X-Forwarded-For': '10.0.0.1' }],
      ['/api/auth/local', {}, { 'X-Forwarded-For': '10.0.0.2' }],
    ] as const;
    const statuses: number[] = [];
    for (const [index, [path, also, headers]] of variants.entries()) {
      const body = { identifier: `victim${index}`, password: 'wrong', ...also };
      statuses.push((await request(people.service.url).post(path).set(headers).send(body)).status);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  });

  test('even if all are sent at once', async () => {
    await forget();
    const attempts = Array.from({ length: 50 }, () => people.logIn('nobody', 'wrong'));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(45);
  });

  test('in the words of Strapi v4', async () => {
    const { body } = await people.logIn('nobody', 'wrong');
    const message = 'Too many requests, please try again later.';
    expect(body).toEqual({ data: null, error: { status: 429, name: 'RateLimitError', message, details: {} } });
  });
});

test('right passwords do not count', async () => {
  await forget();
  await people.register('kurt');
  for (let round = 0; round < 7; round += 1) {
    expect((await people.logIn('kurt', 'secret-of-kurt')).status).toBe(200);
  }
});

test('mails for one address are counted, whether it is known or not', async () => {
  for (const email of ['kurt@example.test', 'nobody@example.test']) {
    await forget();
    const statuses: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      statuses.push((await people.send('post', '/api/auth/forgot-password', { email })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  }
});

test('accounts are kept as hashes', async () => {
  await forget();
  await people.logIn('secret-name', 'wrong');
  const stored = await people.service.database.db.collection('_rate_limits').find().toArray();
  expect(stored).toHaveLength(2);
  expect(JSON.stringify(stored)).not.toContain('secret-name');
});

describe('attempts', () => {
  const limit = { attempts: 5, within: 300 };
  const refused = { code: 'tooManyRequests' };

  test('are counted for an account, wherever they come from, and by several processes together', async () => {
    await forget();
    const { db } = people.service.database;
    const processes = [0, 1].map(() => countAttempts(openRateLimits(db, false), limit));
    for (let round = 0; round < 5; round += 1) await processes[round % 2]?.begin('login', `10.0.0.${round}`, 'victim');
    await expect(processes[1]?.begin('login', '10.0.0.9', 'VICTIM')).rejects.toMatchObject(refused);
    await processes[1]?.begin('login', '10.0.0.9', 'another');
  });

  test('are counted in memory by a process that has the database for itself', async () => {
    await forget();
    const { db } = people.service.database;
    const attempts = countAttempts(openRateLimits(db, true), limit);
    for (let round = 0; round < 5; round += 1) await attempts.begin('login', '10.0.0.1');
    await expect(attempts.begin('login', '10.0.0.1')).rejects.toMatchObject(refused);
    expect(await db.collection('_rate_limits').countDocuments()).toBe(0);
  });
});
