import { beforeAll, describe, expect, test } from '@jest/globals';
import { usePeople, type AuthUser } from './users-client.js';

const people = usePeople();
const auth = 'plugin::users-permissions.';
let anna: AuthUser;
const names = async (query: string): Promise<unknown> =>
  (await people.sendFreely('get', `/api/users?sort=username${query}`)).body.map(
    ({ username }: { username: string }) => username,
  );
const count = async (query: string, token?: string): Promise<unknown> =>
  (await people.send('get', `/api/users/count${query}`, undefined, token ?? people.service.token)).body;

beforeAll(async () => {
  anna = await people.register('anna');
  await people.register('bert');
  await people.sendFreely('post', '/api/users', {
    username: 'carla',
    email: 'Carla@Example.test',
    password: 'secret-of-carla',
    role: 2,
  });
});

test('a list of users returns plain records, all of them unless start and limit are set', async () => {
  expect(await names('')).toEqual(['anna', 'bert', 'carla']);
  expect(await names('&start=1&limit=1')).toEqual(['bert']);
  expect(await names('&limit=2')).toEqual(['anna', 'bert']);
  expect(await names('&filters[role][type]=public')).toEqual(['carla']);
});

test('email addresses are stored in lower case', async () => {
  const [carla] = (await people.sendFreely('get', '/api/users?filters[username]=carla')).body;
  expect(carla.email).toBe('carla@example.test');
  const { body } = await people.sendFreely('put', `/api/users/${carla.id}`, { email: 'CARLA2@example.test' });
  expect(body.email).toBe('carla2@example.test');
});

test('a missing user is null for read and delete, and 404 for update', async () => {
  for (const id of ['9999', 'x', '{"$gt":0}', '99999999999999999999']) {
    const path = `/api/users/${encodeURIComponent(id)}`;
    expect(await people.sendFreely('get', path)).toMatchObject({ status: 204, text: '' });
    expect(await people.sendFreely('delete', path)).toMatchObject({ status: 204, text: '' });
    expect((await people.sendFreely('put', path, { username: 'nobody' })).body.error.message).toBe('User not found');
  }
});

test.each<readonly [unknown, string, string]>([
  [undefined, '', ' is a required field'],
  [[], '', 'Users must have a role'],
  [{ id: 2 }, '', ' must be a `array` type, but the final value was: `{\n  "id": "2"\n}`.'],
  [[2], '[0]', ' must be a `object` type, but the final value was: `2`.'],
  [[{ id: 1 }, null], '[1]', ' must be a `object` type, but the final value was: `null`.'],
  [[{}], '[0].id', ' is a required field'],
  [[{ id: true }], '[0].id', ' must be a `strapiID` type, but the final value was: `true`.'],
])('a user is not created with the role { connect: %j }', async (connect, place, wrong) => {
  const account = { username: 'nora', email: 'n@example.test', password: 'secret', role: { connect } };
  const { status, body } = await people.sendFreely('post', '/api/users', account);
  const message = wrong.startsWith(' ') ? `role.connect${place}${wrong}` : wrong;
  expect([status, body.error.message]).toEqual([400, message]);
});

test('the errors of a changed role name its elements last', async () => {
  const { body } = await people.sendFreely('put', `/api/users/${anna.id}`, { role: { connect: [2] } });
  const places = body.error.details.errors.map(({ path }: { path: readonly string[] }) => path.join('.'));
  expect(places).toEqual(['role.disconnect', 'role.connect.0']);
});

test.each([
  ['null', null, '`object` type, but the final value was: `null`'],
  ['no role', [], '`object` type, but the final value was: `[]`'],
  ['a list', [1], '`object` type, but the final value was: `[\n  "1"\n]`'],
  ['a truth', true, '`strapiID` type, but the final value was: `true`'],
])('a user cannot be created or updated with the role %s', async (_, role, wrong) => {
  const answers = [
    await people.sendFreely('post', '/api/users', {
      username: 'nora',
      email: 'n@example.test',
      password: 'secret',
      role,
    }),
    await people.sendFreely('put', `/api/users/${anna.id}`, { role }),
  ];
  for (const { status, body } of answers) {
    expect({ status, message: body.error.message }).toEqual({ status: 400, message: `role must be a ${wrong}.` });
  }
});

describe('S07: the count of users', () => {
  test('applies filters and parameters', async () => {
    expect(await count('')).toBe(3);
    expect(await count('?username=anna')).toBe(1);
    expect(await count('?filters[username][$ne]=anna')).toBe(2);
  });

  test('refuses parameters about passwords and codes', async () => {
    const token = await people.token('counter', [`${auth}user.count`]);
    for (const name of [
      'password',
      'resetPasswordToken',
      'confirmationToken',
      'passwordChangedAt',
      'unknown',
      '$where',
    ]) {
      expect(await count(`?${name}[$startsWith]=$2`, token)).toMatchObject({ error: { status: 400 } });
      expect(await count(`?${name}[$null]=true`, token)).toMatchObject({ error: { status: 400 } });
      expect(await count(`?filters[${name}][$null]=true`, token)).toMatchObject({ error: { status: 400 } });
    }
  });

  test('refuses parameters about roles without permission to list them', async () => {
    const token = await people.token('counter', [`${auth}user.count`]);
    expect(await count('?role=1', token)).toMatchObject({ error: { message: 'Invalid parameter role' } });
  });
});

describe('S15: a user without further permissions', () => {
  test('cannot read, update or delete other users', async () => {
    const answers = [
      await people.send('get', '/api/users', undefined, anna.jwt),
      await people.send('get', '/api/users/2', undefined, anna.jwt),
      await people.send('put', '/api/users/2', { username: 'hacked' }, anna.jwt),
      await people.send('delete', '/api/users/2', undefined, anna.jwt),
      await people.send('put', `/api/users/${anna.id}`, { role: 3 }, anna.jwt),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  });

  test('gets their own record without role and private attributes', async () => {
    const { body } = await people.send('get', '/api/users/me?populate=*', undefined, anna.jwt);
    const names = ['id', 'username', 'email', 'provider', 'confirmed', 'blocked', 'createdAt', 'updatedAt'];
    expect(Object.keys(body).toSorted()).toEqual(names.toSorted());
  });

  test.each(['password', 'resetPasswordToken', 'passwordChangedAt', 'resetPasswordExpiresAt'])(
    'S05: cannot use %s in fields, filters and sorts, nor can any other caller',
    async (name) => {
      for (const query of [`fields[0]=${name}`, `filters[${name}][$notNull]=true`, `sort=${name}`]) {
        expect((await people.send('get', `/api/users/me?${query}`, undefined, anna.jwt)).text).not.toMatch(/\$2b/);
        const { status, body } = await people.sendFreely('get', `/api/users?${query}`);
        expect([status, body.error.message]).toEqual([400, `Invalid parameter ${name}`]);
      }
    },
  );
});

describe('S53: at registration', () => {
  test('protected attributes are ignored', async () => {
    const wishes = { role: 3, confirmed: false, blocked: true, provider: 'github', id: 77, createdAt: '2001-01-01' };
    const own = { resetPasswordToken: 'x', confirmationToken: 'y', passwordChangedAt: '2001-01-01' };
    const input = { username: 'dora', email: 'dora@example.test', password: 'secret-of-dora', ...wishes, ...own };
    const { body } = await people.send('post', '/api/auth/local/register', input);
    const stored = await people.service.database.db.collection('up_users').findOne({ username: 'dora' });
    expect(stored).toMatchObject({ role: 1, confirmed: true, blocked: false, provider: 'local' });
    for (const name of Object.keys(own)) expect(stored).not.toHaveProperty(name);
    expect(body.user.id).not.toBe(77);
    expect(stored?.['createdAt'].getFullYear()).toBeGreaterThan(2001);
  });

  test('the role is ignored in every form', async () => {
    for (const [index, role] of [{ connect: [3] }, { set: [3] }, [3], '3'].entries()) {
      const name = `form${index}`;
      const input = { username: name, email: `${name}@example.test`, password: 'secret-of-form', role };
      await people.send('post', '/api/auth/local/register', input);
      const stored = await people.service.database.db.collection('up_users').findOne({ username: name });
      expect(stored?.['role']).toBe(1);
    }
  });
});

test('S54: internal attributes cannot be written, even with permission to update users', async () => {
  const [bert] = (await people.sendFreely('get', '/api/users?filters[username]=bert')).body;
  const input = { id: 500, createdAt: null, passwordChangedAt: '2100-01-01', resetPasswordExpiresAt: '2100-01-01' };
  const { body } = await people.sendFreely('put', `/api/users/${bert.id}`, input);
  expect(body).toMatchObject({ id: bert.id, createdAt: bert.createdAt });
  const stored = await people.service.database.db.collection<{ _id: number }>('up_users').findOne({ _id: bert.id });
  expect(stored).not.toHaveProperty('passwordChangedAt');
  expect(stored).not.toHaveProperty('resetPasswordExpiresAt');
});

test('the response to a user write contains the role if the caller may list roles', async () => {
  const [bert] = (await people.sendFreely('get', '/api/users?filters[username]=bert')).body;
  const token = await people.token('user editor', [`${auth}user.update`]);
  const path = `/api/users/${bert.id}`;
  expect((await people.send('put', path, { confirmed: true }, token)).body).not.toHaveProperty('role');
  expect((await people.sendFreely('put', path, { confirmed: true })).body.role.type).toBe('authenticated');
});

describe('user names', () => {
  test.each([
    ['username', { username: 'x'.repeat(256), email: 'long1@example.test' }],
    ['email', { username: 'long2', email: `${'x'.repeat(250)}@example.test` }],
  ])('have a maximum %s', async (name, values) => {
    const account = { ...values, password: 'secret-of-long' };
    for (const answer of [
      await people.send('post', '/api/auth/local/register', account),
      await people.sendFreely('post', '/api/users', { ...account, role: 1 }),
      await people.sendFreely('put', `/api/users/${anna.id}`, values),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toContain(name);
    }
  });

  test('that equal the address of a concurrent registration are given to one of both', async () => {
    for (let round = 0; round < 12; round += 1) {
      const contested = `contested${round}@example.test`;
      const register = (account: object) =>
        people.send('post', '/api/auth/local/register', { ...account, password: 'secret-of-both' });
      const answers = await Promise.all([
        register({ username: contested, email: `other${round}@example.test` }),
        register({ username: `owner${round}`, email: contested }),
      ]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    }
  });
});

test('the total is in a header where a request asks for it, of those whom the caller may see', async () => {
  for (const name of ['tom-a', 'tom-b', 'tom-c']) await people.register(name);
  const list = (query: string) => people.sendFreely('get', `/api/users?_q=tom-&limit=2${query}`);
  const { body, headers } = await list('&withCount=true');
  expect([body.length, headers['x-total-count']]).toEqual([2, '3']);
  for (const query of ['', '&withCount=false', '&withCount=1'])
    expect((await list(query)).headers['x-total-count']).toBeUndefined();
  const { headers: filtered } = await people.sendFreely(
    'get',
    '/api/users?_q=tom-&filters[username][$ne]=tom-a&withCount=true',
  );
  expect(filtered['x-total-count']).toBe('2');
});
