import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { openRateLimits } from '../../../../src/mongo/coordination/rate-limits.js';
import { countAttempts } from '../../../../src/plugins/users-permissions/auth/attempts.js';
import { usePeople } from './users-client.js';

const people = usePeople({ plugins: { 'users-permissions': { config: { rateLimit: { attempts: 5, minutes: 5 } } } } });
/**
 * Addresses and accounts are counted apart, so each test takes an account of its own, and one address is all there is.
 */
const forget = () => people.service.database.db.collection('_rate_limits').deleteMany({});

describe('S48: the sixth wrong password within five minutes is refused', () => {
  test('whatever else the request contains', async () => {
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

  test('with the message of Strapi v4', async () => {
    const { body } = await people.logIn('nobody', 'wrong');
    const message = 'Too many requests, please try again later.';
    expect(body).toEqual({ data: null, error: { status: 429, name: 'RateLimitError', message, details: {} } });
  });

  test.each([
    ['/api/auth/local', { identifier: 1 }],
    ['/api/auth/local/register', { email: 'nobody' }],
    ['/api/auth/forgot-password', {}],
    ['/api/auth/reset-password', { code: 'x', password: 'a', passwordConfirmation: 'b' }],
    ['/api/auth/send-email-confirmation', { email: [] }],
  ])('so is the sixth request to %s whose body is refused', async (path, body) => {
    await forget();
    const statuses: number[] = [];
    for (let round = 0; round < 6; round += 1) statuses.push((await people.send('post', path, body)).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  });

  test('so is the sixth change of a password whose body is refused', async () => {
    await forget();
    const { jwt } = await people.register('cara');
    const statuses: number[] = [];
    for (let round = 0; round < 6; round += 1)
      statuses.push((await people.send('post', '/api/auth/change-password', { password: 'a' }, jwt)).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  });
});

test('successful logins do not count', async () => {
  await forget();
  await people.register('kurt');
  for (let round = 0; round < 7; round += 1) {
    expect((await people.logIn('kurt', 'secret-of-kurt')).status).toBe(200);
  }
});

test('mails for one address are limited, whether it has an account or not', async () => {
  for (const email of ['kurt@example.test', 'nobody@example.test']) {
    await forget();
    const statuses: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      statuses.push((await people.send('post', '/api/auth/forgot-password', { email })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  }
});

test('accounts are stored as hashes', async () => {
  await forget();
  await people.logIn('secret-name', 'wrong');
  const stored = await people.service.database.db.collection('_rate_limits').find().toArray();
  // From the address, of the account from there, and of the account in three stages of patience.
  expect(stored).toHaveLength(5);
  expect(JSON.stringify(stored)).not.toContain('secret-name');
});

test('a 429 response has Retry-After', async () => {
  await forget();
  const answers = [];
  for (let round = 0; round < 6; round += 1) answers.push(await people.logIn('late', 'wrong'));
  const waits = answers.map(({ headers }) => Number(headers['retry-after'] ?? 0));
  expect(waits.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
  expect(waits[5]).toBeGreaterThan(60);
  expect(waits[5]).toBeLessThanOrEqual(300);
});

describe('behind a proxy', () => {
  const config = { rateLimit: { attempts: 2, minutes: 5 } };
  const guests = usePeople({ environment: { TRUSTED_PROXIES: '1' }, plugins: { 'users-permissions': { config } } });
  const logInFrom = async (address: string, identifier: string, password: string): Promise<number> => {
    const asking = request(guests.service.url).post('/api/auth/local').set('X-Forwarded-For', address);
    return (await asking.send({ identifier, password })).status;
  };
  const attack = async (identifier: string, times: number): Promise<void> => {
    for (let round = 0; round < times; round += 1) {
      expect(await logInFrom(`203.0.113.${round}`, identifier, 'wrong')).toBe(400);
    }
  };

  test('wrong passwords from other addresses lock no user out, by name or by email address', async () => {
    await guests.register('vera');
    await attack('vera', 9);
    expect(await logInFrom('198.51.100.7', 'vera', 'secret-of-vera')).toBe(200);
    expect(await logInFrom('198.51.100.8', 'VERA@example.test', 'secret-of-vera')).toBe(200);
  });

  test('a name and an address of one user are one account', async () => {
    await guests.register('willa');
    const statuses = [
      await logInFrom('2001:db8:1:1::1', 'willa', 'wrong'),
      await logInFrom('2001:db8:1:1::2', 'willa@example.test', 'wrong'),
    ];
    const { db } = guests.service.database;
    // Of the limits by address nothing is left: what refuses is that of the account.
    await db.collection('_rate_limits').deleteMany({ key: /from/ });
    statuses.push(await logInFrom('2001:db8:1:1:ffff::3', 'willa', 'secret-of-willa'));
    statuses.push(await logInFrom('2001:db8:1:2::1', 'willa', 'secret-of-willa'));
    expect(statuses).toEqual([400, 400, 429, 200]);
  });

  test('after failures from 20 addresses an account accepts logins only from its usual addresses', async () => {
    await guests.register('xenia');
    expect(await logInFrom('198.51.100.9', 'xenia', 'secret-of-xenia')).toBe(200);
    await attack('xenia', 20);
    expect(await logInFrom('203.0.113.99', 'xenia', 'wrong')).toBe(429);
    expect(await logInFrom('198.51.100.10', 'xenia', 'secret-of-xenia')).toBe(429);
    expect(await logInFrom('198.51.100.9', 'xenia@example.test', 'secret-of-xenia')).toBe(200);
    // Nor may these be tried without end.
    expect(await logInFrom('198.51.100.9', 'xenia', 'wrong')).toBe(400);
    expect(await logInFrom('198.51.100.9', 'xenia', 'wrong')).toBe(400);
    expect(await logInFrom('198.51.100.9', 'xenia', 'secret-of-xenia')).toBe(429);
  });
});

describe('login attempts', () => {
  const limit = { attempts: 5, within: 300 };
  const refused = { code: 'tooManyRequests' };

  test('are counted per account and address, across processes', async () => {
    await forget();
    const { db } = people.service.database;
    const processes = [0, 1].map(() => countAttempts(openRateLimits(db, false), limit));
    for (let round = 0; round < 5; round += 1) await processes[round % 2]?.countAccount('login', '10.0.0.1', 'victim');
    await expect(processes[1]?.countAccount('login', '10.0.0.1', 'victim')).rejects.toMatchObject(refused);
    await processes[1]?.countAccount('login', '10.0.0.1', 'another');
    await processes[1]?.countAccount('login', '10.0.0.2', 'victim');
  });

  test('are counted per account for all addresses, over longer windows for more attempts', async () => {
    const { db } = people.service.database;
    const attempts = countAttempts(openRateLimits(db, true), limit);
    const tryAccount = (round: number) => attempts.countAccount('login', `10.0.${round >> 8}.${round & 255}`, 'victim');
    for (let round = 0; round < 50; round += 1) await tryAccount(round);
    await expect(tryAccount(50)).rejects.toMatchObject({ ...refused, retryAfter: 300 });
  });

  test('to send mails are counted per recipient, for all addresses', async () => {
    const { db } = people.service.database;
    const attempts = countAttempts(openRateLimits(db, true), limit);
    for (let round = 0; round < 5; round += 1) await attempts.countMail('forgot-password', 'Ann@example.test');
    await expect(attempts.countMail('forgot-password', 'ann@example.test')).rejects.toMatchObject(refused);
  });

  test('are counted in memory if the process is the only one on the database', async () => {
    await forget();
    const { db } = people.service.database;
    const attempts = countAttempts(openRateLimits(db, true), limit);
    for (let round = 0; round < 5; round += 1) await attempts.countAddress('login', '10.0.0.1');
    await expect(attempts.countAddress('login', '10.0.0.1')).rejects.toMatchObject(refused);
    await (
      await attempts.countAccount('login', '10.0.0.1', 'victim')
    )();
    expect(await db.collection('_rate_limits').countDocuments()).toBe(0);
  });
});
