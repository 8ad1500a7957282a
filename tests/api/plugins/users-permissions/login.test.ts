import { describe, expect, test } from '@jest/globals';
import { processorTimeOf, startProcessorTime } from '../../../support/processor-time.js';
import { usePeople } from './users-client.js';

const people = usePeople();
const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

test('a user logs in by name or email address, regardless of the case of the address', async () => {
  const { id } = await people.register('anna');
  for (const identifier of ['anna', 'anna@example.test', 'Anna@Example.TEST']) {
    const { status, body } = await people.logIn(identifier, 'secret-of-anna');
    expect([status, body.user.id]).toEqual([200, id]);
    expect((await people.send('get', '/api/users/me', undefined, body.jwt)).body).toMatchObject({ username: 'anna' });
  }
  expect((await people.logIn('ANNA', 'secret-of-anna')).status).toBe(400);
});

test('the response to a login contains no private attributes and no role', async () => {
  await people.register('bert');
  const { body } = await people.logIn('bert', 'secret-of-bert');
  expect(Object.keys(body.user).toSorted()).toEqual(
    ['id', 'username', 'email', 'provider', 'confirmed', 'blocked', 'createdAt', 'updatedAt'].toSorted(),
  );
});

test('GET /api/auth/local/callback lacks the body of a login, as in Strapi v4', async () => {
  const { status, body } = await people.send('get', '/api/auth/local/callback?identifier=anna&password=secret-of-anna');
  expect([status, body.error.name, body.error.message]).toEqual([400, 'ValidationError', '2 errors occurred']);
});

test.each([[{ $ne: null }], [['anna']], [5], [true], [null]])(
  'S21: %j as identifier or password is refused for its type, without a look-up',
  async (value) => {
    for (const [identifier, password] of [
      [value, 'x'],
      ['anna', value],
    ]) {
      const { status, body } = await people.logIn(identifier, password);
      expect([status, body.error.name]).toEqual([400, 'ValidationError']);
      expect(body.error.message).toMatch(/must be a `string` type/);
    }
  },
);

test('S44: an unknown user and a wrong password get the same response after the same work', async () => {
  await people.register('carla');
  const times = { known: [] as number[], unknown: [] as number[] };
  const attempt = async (kind: keyof typeof times, identifier: string): Promise<unknown> => {
    const processorTime = startProcessorTime();
    const { status, body } = await people.logIn(identifier, 'a wrong password');
    times[kind].push(processorTime());
    return { status, body };
  };
  for (let round = 0; round < 7; round += 1) {
    expect(await attempt('known', 'carla')).toEqual(await attempt('unknown', `nobody-${round}`));
  }
  // A log-in without bcrypt takes a twentieth of the time.
  const [shorter = 0, longer = 0] = [median(times.known), median(times.unknown)].toSorted((a, b) => a - b);
  expect(shorter / longer).toBeGreaterThan(0.3);
});

test('a blocked user is informed only with the right password', async () => {
  const { id } = await people.register('dora');
  await people.sendFreely('put', `/api/users/${id}`, { blocked: true });
  const answers = [await people.logIn('dora', 'secret-of-dora'), await people.logIn('dora', 'wrong')];
  expect(answers.map(({ body }) => body.error.message)).toEqual([
    'Your account has been blocked by an administrator',
    'Invalid identifier or password',
  ]);
});

describe('S50: a password of more than 72 bytes', () => {
  test('is refused at registration and change, also when it has fewer characters', async () => {
    for (const password of ['x'.repeat(73), 'ä'.repeat(37)]) {
      const input = { username: 'emil', email: 'emil@example.test', password };
      const { status, body } = await people.send('post', '/api/auth/local/register', input);
      expect([status, body.error.message]).toEqual([400, 'password must be at most 72 bytes']);
    }
  });

  test('does not log in to an account whose password is its prefix', async () => {
    const password = 'y'.repeat(72);
    const input = { username: 'fred', email: 'fred@example.test', password };
    expect((await people.send('post', '/api/auth/local/register', input)).status).toBe(200);
    expect((await people.logIn('fred', password)).status).toBe(200);
    expect((await people.logIn('fred', `${password}y`)).status).toBe(400);
  });

  test('is refused quickly when it is a megabyte long', async () => {
    const logIn = async (): Promise<void> => {
      expect((await people.logIn('fred', 'z'.repeat(1_000_000))).status).toBe(400);
      expect((await people.logIn('fred', 'z'.repeat(2_000_000))).status).toBe(413);
    };
    expect(await processorTimeOf(logIn)).toBeLessThan(5000);
  });
});

describe("S51: a name that equals another user's email address", () => {
  test.each(['gina@example.test', 'GINA@example.test', ' gina@example.test', 'ｇina@example.test'])(
    '%j is refused as taken',
    async (username) => {
      if ((await people.logIn('gina', 'secret-of-gina')).status !== 200) await people.register('gina');
      const email = 'attacker@example.test';
      const input = { username, email, password: 'attacker-1' };
      const { status, body } = await people.send('post', '/api/auth/local/register', input);
      expect([status, body.error.message]).toEqual([400, 'Email or Username are already taken']);
      expect((await people.sendFreely('post', '/api/users', { ...input, role: 1 })).status).toBe(400);
    },
  );

  test('is refused by an update too', async () => {
    await people.register('hana');
    const { id } = await people.register('ivan');
    const { status, body } = await people.sendFreely('put', `/api/users/${id}`, { username: 'HANA@example.test' });
    expect([status, body.error.message]).toEqual([400, 'Username already taken']);
  });

  test("is accepted if it is the user's own address", async () => {
    const input = { username: 'jule@example.test', email: 'Jule@example.test', password: 'secret-of-jule' };
    expect((await people.send('post', '/api/auth/local/register', input)).status).toBe(200);
    expect((await people.logIn('jule@example.test', 'secret-of-jule')).status).toBe(200);
  });
});

test('of 10 concurrent registrations of one address one succeeds', async () => {
  const attempts = Array.from({ length: 10 }, (_, index) =>
    people.send('post', '/api/auth/local/register', {
      username: `racer${index}`,
      email: 'racer@example.test',
      password: 'secret-of-racer',
    }),
  );
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 9 }, () => 400)]);
});
