import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { useService } from '../support/service.js';
import { expectRefusedToo } from './as-assistant.js';
import { expectNotWritten } from './as-strapi5.js';
import { sendRaw, type RawAnswer } from './send-raw.js';

/** Names that mean something to JavaScript, as keys of whatever a client sends. No rights lift these rules. */
const client = useService({ plugins: { mcp: true, strapi5: true }, environment: { LOG_LEVEL: 'silent' } });
const hostile = ['__proto__', 'constructor', 'prototype'] as const;
const polluted = '{"polluted":{"enabled":true,"polluted":"yes"}}';

const createProduct = 'mutation($attrs: JSON) { createProduct(data: { name: 1, attrs: $attrs }) { data { id } } }';

const send = async (path: string, body: string, method: 'POST' | 'PUT' = 'POST'): Promise<RawAnswer> => {
  const answer = await sendRaw(client.service, path, { method, body });
  await expectRefusedToo(client.service, path, body, answer);
  await expectNotWritten(client.service, path, body, answer);
  return answer;
};
const before = Object.getOwnPropertyNames(Object.prototype);

/** The prototypes are as they were, and the service still answers. */
async function expectClean(): Promise<void> {
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  expect({}).not.toHaveProperty('polluted');
  expect(Object).not.toHaveProperty('polluted');
  expect((await client.get('/api/tags?pagination[withCount]=false')).status).toBe(200);
}

describe.each(hostile)('S30, S31: %s', (name) => {
  test.each([
    `filters[${name}][polluted]=yes`,
    `filters[$and][0][${name}][polluted]=yes`,
    `filters[author][${name}][polluted]=yes`,
    `filters[seo][${name}][polluted]=yes`,
    `sort[${name}][polluted]=asc`,
    `sort=${name}.polluted`,
    `fields[${name}]=polluted`,
    `populate[${name}][polluted]=yes`,
    `populate=${name}.polluted`,
    `populate[blocks][on][${name}][polluted]=yes`,
    `populate[author][${name}][polluted]=yes`,
    `pagination[${name}][polluted]=yes`,
    `${name}[polluted]=yes`,
    `${name}.polluted=yes`,
    `locale[${name}][polluted]=yes`,
  ])('in a query: %s', async (query) => {
    for (const path of ['articles', 'users', 'users/count', 'upload/files'])
      for (const base of ['/api', '/v5/api'])
        expect((await client.get(`${base}/${path}?${query}`)).status).toBeLessThan(500);
    await expectClean();
  });

  test.each([
    ['/api/articles', `{"data":{"title":"x","${name}":${polluted}}}`],
    ['/api/articles', `{"data":{"title":"x","seo":{"metaTitle":"m","${name}":${polluted}}}}`],
    ['/api/articles', `{"data":{"title":"x","blocks":[{"__component":"${name}","${name}":${polluted}}]}}`],
    ['/api/articles', `{"data":{"title":"x","tags":{"${name}":${polluted},"connect":[{"${name}":${polluted}}]}}}`],
    ['/api/articles', `{"data":{"title":"x"},"${name}":${polluted}}`],
    ['/api/comments', `{"data":{"text":"x","subject":{"__type":"${name}","id":1,"${name}":${polluted}}}}`],
    ['/api/products', `{"data":{"name":"x","sku":"x","attrs":{"${name}":${polluted}}}}`],
    ['/api/users', `{"username":"x","email":"x@example.test","password":"secret-of-x","${name}":${polluted}}`],
    ['/api/auth/local', `{"identifier":"x","password":"y","${name}":${polluted}}`],
    ['/api/auth/local/register', `{"username":"${name}","email":"y@example.test","${name}":${polluted}}`],
    ['/api/upload?id=1', `{"fileInfo":{"${name}":${polluted}}}`],
    ['/graphql', `{"query":"${createProduct}","variables":{"attrs":{"${name}":${polluted}},"${name}":${polluted}}}`],
    ['/graphql', `{"query":"{ articles(filters: { ${name}: { polluted: 1 } }) { data { id } } }"}`],
    [
      '/graphql',
      `{"query":"mutation { createProduct(data: { name: 1, attrs: { ${name}: { polluted: 1 } } }) { data { id } } }"}`,
    ],
    ['/graphql', `{"query":"{ articles(filters: { title: { eq: \\"x\\" } }) { data { id } } }","${name}":${polluted}}`],
    ['/graphql', `{"query":"{ __typename }","extensions":{"${name}":${polluted}}}`],
  ])('in a body: %s %s', async (path, body) => {
    expect((await send(path, body)).status).toBeLessThan(500);
    await expectClean();
  });

  test.each([
    [`{"${name}":{"controllers":{"x":${polluted}}}}`],
    [`{"api::tag":{"controllers":{"${name}":${polluted}}}}`],
    [`{"api::tag":{"controllers":{"tag":{"${name}":{"enabled":true}}}}}`],
    [`{"api::tag":{"${name}":{"tag":${polluted}}}}`],
    [`{"${name}.${name}":{"controllers":{"polluted":{"x":{"enabled":true}}}}}`],
  ])('in the permissions of a role: %s', async (permissions) => {
    const role = JSON.stringify({ name: `Role ${name}`, type: permissions });
    const created = await send('/api/users-permissions/roles', role.replace('{', `{"permissions":${permissions},`));
    expect(created.status).toBeLessThan(500);
    const { body } = await client.get('/api/users-permissions/roles');
    for (const { id } of body.roles) {
      expect((await client.get(`/api/users-permissions/roles/${id}`)).status).toBe(200);
    }
    await expectClean();
  });

  test('in the names of a form', async () => {
    for (const field of [`files.${name}.polluted`, `${name}[polluted]`, `data[${name}][polluted]`]) {
      const form = request(client.service.url).post('/api/articles').auth(client.service.token, { type: 'bearer' });
      const { status } = await form
        .field('data', `{"title":"x","${name}":${polluted}}`)
        .field(`${name}[polluted]`, 'yes')
        .attach(field, Buffer.from('text'), 'a.txt');
      expect(status).toBeLessThan(500);
    }
    const map = JSON.stringify({ 0: [`variables.${name}.polluted`] });
    const operations = `{"query":"{ __typename }","variables":{"${name}":{"polluted":null}}}`;
    const sending = request(client.service.url).post('/graphql').auth(client.service.token, { type: 'bearer' });
    const { status } = await sending
      .set('x-apollo-operation-name', 'x')
      .field('operations', operations)
      .field('map', map)
      .attach('0', Buffer.from('text'), 'a.txt');
    expect(status).toBeLessThan(500);
    await expectClean();
  });
});

test('S31: a stored permission with such a name can be listed and revoked', async () => {
  const { entries } = client.service;
  const role = await entries.create('plugin::users-permissions.role', { name: 'Old', type: 'old' });
  for (const action of ['__proto__.polluted.x', 'api::x.__proto__.polluted', 'api::x.constructor.polluted']) {
    await entries.create('plugin::users-permissions.permission', { action, role: role.id });
  }
  const path = `/api/users-permissions/roles/${role.id}`;
  const response = await client.get(path);
  expect(response.status).toBe(200);
  expect(response.text).toContain('"__proto__":{"polluted":{"enabled":true');
  expect(await send(path, '{"permissions":{}}', 'PUT')).toMatchObject({ status: 200 });
  expect((await client.get(path)).text).not.toContain('"enabled":true');
  await expectClean();
});

test('unknown actions are refused by name, and nothing is created or changed', async () => {
  const tree = { 'api::nope': { controllers: { nope: { find: { enabled: true }, update: { enabled: false } } } } };
  const roles = async () => (await client.get('/api/users-permissions/roles')).text;
  const unchanged = await roles();
  const answers = [
    await send('/api/users-permissions/roles', JSON.stringify({ name: 'Nobody', permissions: tree })),
    await send('/api/users-permissions/roles/1', JSON.stringify({ name: 'Nobody', permissions: tree }), 'PUT'),
  ];
  for (const { status, text } of answers) {
    expect([status, JSON.parse(text).error]).toMatchObject([
      400,
      {
        message: 'unknown action "api::nope.nope.find"',
        details: { errors: [{ path: ['permissions', 'api::nope', 'controllers', 'nope', 'find'] }] },
      },
    ]);
  }
  expect(await roles()).toBe(unchanged);
});
