import { mkdtemp, rm, writeFile, cp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { StartError } from '../../../../src/errors/start-error.js';
import { parseAccess } from '../../../../src/plugins/contract/access/parse-access.js';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { usePeople } from '../users-permissions/users-client.js';

const actions = new Set(['api::article.article.find', 'api::article.article.findOne', 'api::tag.tag.find']);
const variables = { APP_TOKEN: 'a-key-of-enough-characters', SHORT: 'short' };
const parse = (content: Record<string, unknown>) =>
  parseAccess({ file: 'access.json', content }, { actions, contentTypes: new Map(), variables });
const mistakes = (content: Record<string, unknown>): readonly string[] => {
  try {
    parse(content);
    return [];
  } catch (error) {
    return error instanceof StartError ? error.message.split('\n') : ['no StartError'];
  }
};

describe('an access file', () => {
  test('declares roles, tokens with keys from the environment, and locales', () => {
    const role = { name: 'Everybody', permissions: ['api::tag.tag.find', 'api::tag.tag.find'] };
    const token = { type: 'read-only', key: { env: 'APP_TOKEN' }, expiresAt: '2030-01-31' };
    const locales = [
      { code: 'en', isDefault: true },
      { code: 'fr', name: 'French' },
    ];
    expect(parse({ $schema: 'x', roles: { public: role }, tokens: { app: token }, locales })).toEqual({
      roles: [{ type: 'public', name: 'Everybody', description: undefined, permissions: ['api::tag.tag.find'] }],
      tokens: [
        {
          name: 'app',
          description: undefined,
          type: 'read-only',
          permissions: [],
          key: 'a-key-of-enough-characters',
          expiresAt: new Date('2030-01-31'),
        },
      ],
      locales: [
        { code: 'en', name: undefined, isDefault: true },
        { code: 'fr', name: 'French', isDefault: false },
      ],
    });
  });

  test('may be empty', () => {
    expect(parse({})).toEqual({ roles: [], tokens: [], locales: [] });
  });

  test('is refused with all errors and suggestions', () => {
    const content = {
      rolls: {},
      roles: {
        public: { permissions: ['api::article.article.findone', 'api::artcle.article.find'], permission: [] },
        'no name': { name: 'X' },
        editor: [],
      },
      tokens: {
        first: { type: 'full', key: 'in-clear' },
        second: { type: 'full-access', permissions: ['api::tag.tag.find'], key: { env: 'MISSING' }, expiresAt: 'soon' },
        third: { type: 'custom', key: { env: 'SHORT' } },
      },
      locales: [{ code: 'en' }, { code: 'en' }, { name: 'French' }],
    };
    expect(mistakes(content)).toEqual([
      'access.json: rolls is unknown; did you mean "roles"?',
      'access.json: roles.public.permission is unknown; did you mean "permissions"?',
      'access.json: roles.public.permissions[0] names an unknown action "api::article.article.findone"; did you mean "api::article.article.findOne"?',
      'access.json: roles.public.permissions[1] names an unknown action "api::artcle.article.find"; did you mean "api::article.article.find"?',
      'access.json: roles.no name must be a name of letters, digits, - and _',
      'access.json: roles.no name.name must have at least 3 characters',
      'access.json: roles.no name.permissions is missing; [] allows nothing',
      'access.json: roles.editor must be an object',
      'access.json: tokens.first.type "full" must be "full-access" or "read-only" or "custom"',
      'access.json: tokens.first.key must name an environment variable: { "env": "MY_TOKEN" }',
      'access.json: tokens.second.permissions applies to "custom" tokens only',
      'access.json: tokens.second.expiresAt "soon" must be a date, e.g. "2030-01-31"',
      'access.json: tokens.second.key.env the environment variable MISSING is not set',
      'access.json: tokens.third.key.env the environment variable SHORT must have at least 16 characters',
      'access.json: locales[2].code is missing, e.g. "en"',
      'access.json: locales contain "en" twice',
      'access.json: locales must have one locale with "isDefault": true, not 0',
    ]);
  });
});

describe('a declared role', () => {
  const people = usePeople();
  const permissions = () => people.service.database.db.collection('up_permissions').find().sort({ _id: 1 }).toArray();

  test('has exactly the declared permissions, and does not change when applied again', async () => {
    await people.allow('public', ['api::tag.tag.find', 'api::author.author.find']);
    const first = await permissions();
    await people.allow('public', ['api::tag.tag.find', 'api::author.author.find']);
    expect(await permissions()).toEqual(first);
    expect((await people.send('get', '/api/tags')).status).toBe(200);
    expect((await people.logIn('anybody', 'x')).status).toBe(403);
  });

  test('is created if it is new, and takes effect immediately', async () => {
    await people.allow('content-editor', ['api::tag.tag.find', 'api::tag.tag.create']);
    const { body } = await people.sendFreely('get', '/api/users-permissions/roles');
    expect(body.roles).toContainEqual(expect.objectContaining({ type: 'content-editor', name: 'Content editor' }));
    await people.allow('public', []);
    expect((await people.send('get', '/api/tags')).status).toBe(403);
  });
});

describe('the sample project', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await createTestService({ mongodbUri: process.env['TEST_MONGODB_URI'] ?? '' });
  });
  afterAll(() => service.close());

  test('can be read anonymously, and written only with a token', async () => {
    for (const path of ['articles', 'authors', 'categories', 'tags']) {
      expect((await request(service.url).get(`/api/${path}?populate=*`)).status).toBe(200);
      expect((await request(service.url).post(`/api/${path}`).send({ data: {} })).status).toBe(403);
      expect((await request(service.url).put(`/api/${path}/1`).send({ data: {} })).status).toBe(403);
      expect((await request(service.url).delete(`/api/${path}/1`)).status).toBe(403);
    }
  });

  test('lets users register, log in and read', async () => {
    const input = { username: 'anna', email: 'anna@example.test', password: 'secret-of-anna' };
    const { body } = await request(service.url).post('/api/auth/local/register').send(input);
    expect((await request(service.url).get('/api/articles').auth(body.jwt, { type: 'bearer' })).status).toBe(200);
    expect((await request(service.url).get('/api/users/me').auth(body.jwt, { type: 'bearer' })).status).toBe(200);
  });
});

describe('a start', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'access-'));
    await cp('content-types', folder, { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true }));

  const start = (access: string): Promise<TestService> =>
    writeFile(path.join(folder, 'access.json'), access).then(() =>
      createTestService({ contentTypes: folder, mongodbUri: process.env['TEST_MONGODB_URI'] ?? '' }),
    );

  test('fails if access.json names unknown actions', async () => {
    const access = { roles: { public: { permissions: ['api::article.article.fnd'] } } };
    const message =
      'access.json: roles.public.permissions[0] names an unknown action "api::article.article.fnd"; did you mean';
    await expect(start(JSON.stringify(access))).rejects.toThrow(message);
  });

  test('fails with the position if access.json is invalid JSON', async () => {
    await expect(start('{ "roles": }')).rejects.toThrow('access.json: line 1, column 12: invalid JSON');
  });
});
