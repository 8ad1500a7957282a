import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeProject, startService, type Project, type ServiceProcess } from '../../faults/service-process.js';

let project: Project;
let service: ServiceProcess;
beforeAll(async () => {
  project = makeProject();
  const leaf = path.join(project.folder, 'content-types/leaf.json');
  const definition = JSON.parse(readFileSync(leaf, 'utf8')) as { readonly attributes: object };
  const attributes = { ...definition.attributes, until: { type: 'datetime' } };
  writeFileSync(leaf, JSON.stringify({ ...definition, attributes, options: { draftAndPublish: true } }));
  const access = path.join(project.folder, 'content-types/access.json');
  const declared = JSON.parse(readFileSync(access, 'utf8')) as object;
  const roles = { authenticated: { permissions: ['api::leaf.leaf.find', 'plugin::users-permissions.user.me'] } };
  writeFileSync(access, JSON.stringify({ ...declared, roles }));
  service = await startService(project, {
    MONGODB_URI: process.env['TEST_MONGODB_URI'] ?? '',
    DATABASE: 'auto',
    DATABASE_NAME: `request_log_${process.pid}`,
    LOG_REQUESTS: 'true',
    DRAFTS: 'restricted',
    TRUSTED_PROXIES: '1',
    CORS_ORIGINS: 'https://site.example.org',
  });
});
afterAll(async () => {
  await service.stop();
  project.remove();
});

/** Sends a request with a unique id; returns its log lines. */
async function logged(
  id: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const sent = { 'x-request-id': id, 'x-forwarded-for': '203.0.113.7', 'content-type': 'application/json', ...headers };
  const posted = body && { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(service.url + path, { headers: sent, ...posted });
  await response.arrayBuffer();
  for (;;) {
    const lines = service.log().split('\n');
    const found = lines.filter((line) => line.includes(id)).map((line) => JSON.parse(line) as Record<string, unknown>);
    if (found.some(({ msg }) => msg === 'Request')) return found;
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('the request log contains the client, the kind of caller and the role, but no token', async () => {
  const address = '203.0.113.7';
  expect(await logged('by-token', '/api/nodes', bearer(project.token))).toEqual([
    expect.objectContaining({ address, caller: 'token', role: 'full-access', token: 'faults', status: 200 }),
  ]);
  const registered = await fetch(`${service.url}/api/auth/local/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'ada', email: 'ada@example.org', password: 'a-long-password' }),
  });
  const { jwt, user } = (await registered.json()) as { jwt: string; user: { id: number } };
  expect(await logged('by-user', '/api/users/me', bearer(jwt))).toEqual([
    expect.objectContaining({ address, caller: 'user', role: 'authenticated', user: user.id, status: 200 }),
  ]);
  expect((await logged('leaves-by-user', '/api/leaves?publicationState=preview', bearer(jwt)))[0]?.['msg']).toBe(
    'GET /api/leaves: publicationState=preview without drafts: the caller lacks the permission api::leaf.leaf.find.drafts',
  );
  expect(await logged('leaves-by-token', '/api/leaves?publicationState=preview', bearer(project.token))).toHaveLength(
    1,
  );
  expect(await logged('by-graphql', '/graphql', bearer(project.token), { query: '{ __typename }' })).toEqual([
    expect.objectContaining({ address, caller: 'token', role: 'full-access' }),
  ]);
  expect(service.log()).not.toContain(project.token);
  expect(service.log()).not.toContain(jwt);
});

test('in development the log names the missing permission', async () => {
  const [reason, line] = await logged('refused', '/api/nodes', {});
  expect(line).toMatchObject({ caller: 'public', role: 'public', status: 403 });
  expect(reason?.['msg']).toBe('403: the role public lacks the permission api::node.node.find');
});

test('in development the log says which names of a query are unknown, and which are meant', async () => {
  const query = 'filter[title]=x&pagination[pagesize]=2';
  const lines = await logged('misspelt', `/api/nodes?${query}`, bearer(project.token));
  expect(lines[0]?.['msg']).toBe(
    'GET /api/nodes: unknown filter; did you mean filters? pagination[pagesize]; did you mean pageSize?',
  );
  expect(await logged('well-spelt', '/api/nodes?pagination[pageSize]=2', bearer(project.token))).toHaveLength(1);
});

test('in development the log says why the data of a form is missing', async () => {
  const form = { ...bearer(project.token), 'content-type': 'application/x-www-form-urlencoded' };
  const [reason, line] = await logged('as-form', '/api/nodes', form, { data: { name: 'x' } });
  expect(line).toMatchObject({ status: 400 });
  expect(reason?.['msg']).toBe('400: the body came as a form; for JSON send Content-Type: application/json');
});

/** The log's first line about a request that writes. */
async function explained(
  id: string,
  path: string,
  data: object,
  headers: Readonly<Record<string, string>> = bearer(project.token),
): Promise<unknown> {
  const [first] = await logged(id, path, headers, data);
  return first?.['msg'];
}

test('in development the log names the keys of written data that are lost', async () => {
  const data = { lable: 'x', box: { other: 1 }, label: 'y', id: 7 };
  expect(await explained('lost-keys', '/api/nodes', { data })).toBe(
    'POST /api/nodes: unknown and not stored: lable; did you mean label? box.other',
  );
});

test('in development the log names the attribute of an invalid date and of a missing relation', async () => {
  expect(await explained('no-date', '/api/leaves', { data: { until: 'soon' } })).toBe('400: until is "soon"');
  expect(await explained('no-leaf', '/api/nodes', { data: { labels: [998, 999] } })).toBe(
    '400: labels: there is no 998, 999',
  );
});

test.each([
  ['no-token', 'nonsense', /^401: as a JSON web token: jwt malformed; as the key of an API token: there is none with/],
  ['no-key', foreignToken(), /^401: as a JSON web token: invalid signature, so another JWT_SECRET has signed it; /],
])('in development the log says why a token is refused: %s', async (id, token, expected) => {
  const [line] = await logged(id, '/api/nodes', bearer(token));
  expect(line?.['msg']).toMatch(expected);
});

/** Signed with another secret. */
function foreignToken(): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ id: 1 })}.${part({})}`;
}

test('in development the log names the limit that a body exceeds', async () => {
  expect(await explained('large', '/api/nodes', { data: { label: 'x'.repeat(2 ** 20) } })).toBe(
    '413: the body is larger than BODY_LIMIT, 1048576 bytes',
  );
});

test('in development the log names the path that is meant by one that does not exist', async () => {
  const meant = async (id: string, path: string): Promise<unknown> => (await logged(id, path, {}))[0]?.['msg'];
  expect(await meant('singular', '/api/leaf/1')).toBe('404: /api/leaf/1 does not exist; did you mean /api/leaves/1?');
  expect(await meant('no-prefix', '/nodes')).toBe('404: /nodes does not exist; did you mean /api/nodes?');
  expect(await meant('no-events', '/api/changes')).toBe('404: /api/changes is there only with EVENTS=true');
});

test('in development the log names pages of another origin that may not read the answer', async () => {
  const from = async (id: string, origin: string): Promise<readonly unknown[]> =>
    (await logged(id, '/api/nodes', { ...bearer(project.token), origin })).map(({ msg }) => msg);
  expect(await from('listed', 'https://site.example.org')).toEqual(['Request']);
  expect(await from('own-page', service.url)).toEqual(['Request']);
  expect(await from('foreign', 'http://localhost:3000')).toContain(
    'GET /api/nodes: browsers keep the answer from pages of http://localhost:3000, which may not read it; see CORS_ORIGINS',
  );
});

test('in development the log says why files are missing or belong to no entry', async () => {
  const send = async (id: string, fields: Readonly<Record<string, string>>, line: string, field = 'files') => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append(field, new Blob(['text']), 'note.txt');
    const headers = { 'x-request-id': id, ...bearer(project.token) };
    await (await fetch(`${service.url}/api/upload`, { method: 'POST', headers, body: form })).arrayBuffer();
    while (!service.log().includes(line)) {
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
    expect(service.log()).toContain(line);
  };
  await send('file', {}, '400: files are expected in the field files; the form has some in file', 'file');
  await send(
    'no-field',
    { ref: 'api::node.node', refId: '1', field: 'labl' },
    'Files belong to no entry: api::node.node has no field labl; did you mean label?',
  );
  await send('no-id', { ref: 'api::node.node' }, 'ref, refId and field are needed, the form has ref');
});
