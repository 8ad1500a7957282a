import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeProject, startService, type Project, type ServiceProcess } from '../../faults/service-process.js';

let project: Project;
let service: ServiceProcess;
beforeAll(async () => {
  project = makeProject();
  service = await startService(project, {
    MONGODB_URI: process.env['TEST_MONGODB_URI'] ?? '',
    DATABASE: 'auto',
    DATABASE_NAME: `request_log_${process.pid}`,
    LOG_REQUESTS: 'true',
    TRUSTED_PROXIES: '1',
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
