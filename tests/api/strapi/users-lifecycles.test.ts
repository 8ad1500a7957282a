import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProjectFolder, type Answered, type RunningProject } from './project-folder.js';

const user = 'plugin::users-permissions.user';
const actions = [`${user}.create`, `${user}.update`, 'plugin::users-permissions.auth.register'];

/** The name of a user says what the lifecycles throw. */
const files = {
  'package.json': JSON.stringify({ dependencies: { '@strapi/plugin-graphql': '4.26.2' } }),
  'src/index.js': `const { errors } = require('@strapi/utils');
    const fail = async (name = '') => {
      if (name.startsWith('plain')) throw new Error('not on Sundays');
      if (name.startsWith('forbidden')) throw new errors.ForbiddenError('not for you');
      if (name.startsWith('database'))
        throw Object.assign(new Error('connect to db.internal'), { code: 'ECONNREFUSED' });
    };
    module.exports = { register({ strapi }) {
      strapi.db.lifecycles.subscribe({
        models: ['${user}'],
        beforeCreate: ({ params }) => fail(params.data.username),
        beforeUpdate: ({ params }) => fail(params.data.username),
        afterCreate: async ({ result: { id, username } }) => {
          if (username.startsWith('cleared'))
            await strapi.query('${user}').update({ where: { id }, data: { password: '' } });
          await fail(username.startsWith('late') ? 'plain' : '');
        },
      });
    } };`,
  'access.json': JSON.stringify({ roles: { public: { permissions: actions } } }),
};

let running: RunningProject;
beforeAll(async () => {
  running = await openProjectFolder(files);
});
afterAll(async () => running.stop());

const inputOf = (username: string) => ({ username, email: `${username}@a.test`, password: 'Secret-1234' });
const create = (username: string): Promise<Answered> =>
  running.send('POST', '/api/users', { ...inputOf(username), role: 1 });

test.each([
  ['a plain error', 'plain', 'not on Sundays'],
  ['a plain error after the user is stored', 'late', 'not on Sundays'],
  ['an error of Strapi', 'forbidden', 'not for you'],
])('POST /api/users has the message of %s of a lifecycle in an ApplicationError', async (_, username, message) => {
  const { status, body } = await create(username);
  expect({ status, body }).toEqual({
    status: 400,
    body: { data: null, error: { status: 400, name: 'ApplicationError', message, details: {} } },
  });
});

test('the mutation createUsersPermissionsUser has it, too', async () => {
  const query = `mutation ($data: UsersPermissionsUserInput!) { createUsersPermissionsUser(data: $data) { data { id } } }`;
  const variables = { data: { ...inputOf('plain2'), role: '1' } };
  const { body } = await running.send('POST', '/graphql', { query, variables });
  expect(body.errors).toMatchObject([
    { message: 'not on Sundays', extensions: { error: { name: 'ApplicationError' } } },
  ]);
});

test('an error of the database that a lifecycle passes on is not shown', async () => {
  const { status, body } = await create('database');
  expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringContaining('db.internal')]);
});

test('as in Strapi v4, a registration and an update show no plain error', async () => {
  const { body: created } = await create('ann');
  for (const answered of [
    await running.send('POST', '/api/auth/local/register', inputOf('plain3')),
    await running.send('PUT', `/api/users/${created.id}`, { username: 'plain4' }),
  ])
    expect(answered).toEqual({
      status: 500,
      body: { data: null, error: { status: 500, name: 'InternalServerError', message: 'Internal Server Error' } },
    });
});

test('errors of Strapi refuse a registration with their status', async () => {
  expect((await running.send('POST', '/api/auth/local/register', inputOf('forbidden2'))).body.error).toEqual({
    status: 403,
    name: 'ForbiddenError',
    message: 'not for you',
    details: {},
  });
});

test('the token of a registration is good although code changes the password right after it', async () => {
  const { status, body } = await running.send('POST', '/api/auth/local/register', inputOf('cleared'));
  expect([status, body.user.username]).toEqual([200, 'cleared']);
  expect((await running.send('GET', '/api/users/me', undefined, body.jwt)).body).toMatchObject({ username: 'cleared' });
});
