import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  type RunningShadow,
  type ShadowOptions,
  shadow,
  startShadow,
} from '../../../src/cli/commands/shadow/shadow.js';
import { hashKey } from '../../../src/plugins/api-tokens/definition.js';
import { useService } from '../../support/service.js';

const environment = { API_TOKEN_SALT: 'salt of both services' };
const [reference, ours] = [useService({ environment }), useService({ environment })];
const at = new Date('2024-05-01T10:00:00.000Z');
let running: RunningShadow | undefined;

const defaults = (): ShadowOptions => ({
  reference: reference.service.url,
  ours: ours.service.url,
  port: '0',
  reportPort: '0',
  writes: 'mirror',
  answerFrom: 'reference',
  memory: '64',
  json: false,
});

async function start(options: Partial<ShadowOptions> = {}): Promise<RunningShadow> {
  running = await startShadow({ ...defaults(), ...options });
  return running;
}
afterEach(async () => {
  await running?.close();
  running = undefined;
});

/** Both services take the token of the reference. */
const headers = (): Record<string, string> => ({
  authorization: `Bearer ${reference.service.token}`,
  'content-type': 'application/json',
});
const send = (url: string, method: string, path: string, body?: object): Promise<Response> =>
  fetch(url + path, { method, headers: headers(), ...(body && { body: JSON.stringify(body) }) });
const namesOf = async ({ get }: typeof reference): Promise<readonly unknown[]> => {
  const { body } = await get('/api/tags?sort=id&pagination[limit]=100');
  return body.data.map(({ id, attributes }: { id: number; attributes: { name: string } }) => [id, attributes.name]);
};

beforeAll(async () => {
  const accessKey = hashKey(reference.service.token, environment.API_TOKEN_SALT);
  await ours.service.entries.create('admin::api-token', { name: 'both', type: 'full-access', accessKey });
  for (const { service, create } of [reference, ours]) {
    for (const name of ['Alpha', 'Beta', 'Gamma']) await create('tags', { name });
    await service.database.db.collection('tags').updateMany({}, { $set: { createdAt: at, updatedAt: at } });
  }
});

test('clients get the bytes of Strapi, and equal answers are counted', async () => {
  const { url, settled } = await start();
  for (const path of ['/api/tags', '/api/tags/1?fields=name', '/api/tags/99', '/nothing']) {
    const [direct, through] = await Promise.all([send(reference.service.url, 'GET', path), send(url, 'GET', path)]);
    expect([through.status, await through.text()]).toEqual([direct.status, await direct.text()]);
    expect(through.headers.get('content-type')).toBe(direct.headers.get('content-type'));
  }
  expect(await settled()).toMatchObject({ requests: 4, equal: 4, different: 0, lostWrites: 0, causes: [] });
});

test('differences are grouped by cause, and shown on a page and as JSON', async () => {
  const tags = ours.service.database.db.collection<{ _id: number }>('tags');
  await tags.updateOne({ _id: 2 }, { $set: { name: '<b>' } });
  const { url, reportUrl, settled, report } = await start();
  await send(url, 'GET', '/api/tags');
  await settled();
  await send(url, 'POST', '/graphql', { query: '{ tags { data { attributes { name } } } }' });
  await settled();
  const [first, second] = (await report()).causes;
  expect(first).toMatchObject({ cause: 'data[].attributes.name: different value', requests: ['GET /api/tags'] });
  expect(second).toMatchObject({ cause: 'data.tags.data[].attributes.name: different value', total: 1 });
  expect(await (await fetch(`${reportUrl}/report.json`)).json()).toEqual(await report());
  expect(await (await fetch(reportUrl)).text()).toContain('<td>&lt;b&gt;</td>');
  await tags.updateOne({ _id: 2 }, { $set: { name: 'Beta' } });
});

test('writes reach both sides in one order, with the same ids, and reads after them are equal', async () => {
  const { url, settled, report } = await start();
  const rows = Array.from({ length: 24 }, (_, index) => `Row ${index}`);
  await Promise.all(rows.map((name) => send(url, 'POST', '/api/tags', { data: { name } })));
  await send(url, 'PUT', '/api/tags/4', { data: { name: 'Changed' } });
  await send(url, 'DELETE', '/api/tags/5');
  await send(url, 'POST', '/graphql', {
    query: 'mutation { createTag(data: { name: "By GraphQL" }) { data { id attributes { name createdAt } } } }',
  });
  await send(url, 'GET', '/api/tags?sort=id&pagination[limit]=100');
  await settled();
  expect(await namesOf(ours)).toEqual(await namesOf(reference));
  expect(await report()).toMatchObject({ different: 0, lostWrites: 0, causes: [] });
});

test('skipped writes are counted, and stay on one side', async () => {
  const { url, settled, report } = await start({ writes: 'skip' });
  const before = await namesOf(ours);
  await send(url, 'PUT', '/api/tags/1', { data: { color: 'red' } });
  await settled();
  expect(await namesOf(ours)).toEqual(before);
  expect(await report()).toMatchObject({ dropped: { 'write skipped': 1 }, lostWrites: 0 });
  await ours.put('/api/tags/1', { color: 'red' });
});

test('a service that is away changes no answer; what it misses is counted', async () => {
  const { url, settled } = await start({ ours: 'http://127.0.0.1:1' });
  expect((await send(url, 'GET', '/api/tags')).status).toBe(200);
  expect((await send(url, 'PUT', '/api/tags/1', { data: { color: 'blue' } })).status).toBe(200);
  expect(await settled()).toMatchObject({ equal: 0, dropped: { unanswered: 2 }, lostWrites: 1 });
  await ours.put('/api/tags/1', { color: 'blue' });
});

test('comparisons that do not fit into memory are dropped', async () => {
  const { url, settled } = await start({ memory: '0' });
  expect((await send(url, 'GET', '/api/tags')).status).toBe(200);
  expect(await settled()).toMatchObject({ equal: 0, dropped: { memory: 1 } });
});

test('a Strapi that is away is a 502', async () => {
  const { url, report } = await start({ reference: 'http://127.0.0.1:1' });
  expect((await send(url, 'GET', '/api/tags')).status).toBe(502);
  expect(await report()).toMatchObject({ dropped: { 'broken off': 1 } });
});

test('a read is sent again if Strapi closes the connection on which it arrives, a write is not', async () => {
  const arrived: string[] = [];
  const closing = createServer((incoming, response) => {
    const request = `${incoming.method} ${incoming.url}`;
    if (!arrived.includes(request)) incoming.socket.destroy();
    else incoming.pipe(response);
    arrived.push(request);
  }).listen(0);
  await once(closing, 'listening');
  const { url } = await start({ reference: `http://127.0.0.1:${(closing.address() as AddressInfo).port}` });
  const answers = await Promise.all([
    send(url, 'GET', '/api/tags'),
    send(url, 'POST', '/graphql', { query: '{ tags { data { id } } }' }),
    send(url, 'POST', '/graphql?write', { query: 'mutation { deleteTag(id: 1) { data { id } } }' }),
    send(url, 'DELETE', '/api/tags/1'),
  ]);
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  closing.closeAllConnections();
  closing.close();
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 502, 502]);
  expect(texts[1]).toBe('{"query":"{ tags { data { id } } }"}');
  expect(arrived).toHaveLength(6);
});

test('the service answers when it is told to, except for some paths', async () => {
  const { url, settled, report } = await start({ answerFrom: 'service', except: '/api/authors' });
  const powered = async (path: string): Promise<string> => (await send(url, 'GET', path)).text();
  const tags = ours.service.database.db.collection<{ _id: number }>('tags');
  await tags.updateOne({ _id: 1 }, { $set: { name: 'Ours' } });
  expect(await powered('/api/tags/1')).toContain('Ours');
  await ours.create('authors', { name: 'Only here' });
  expect(await powered('/api/authors')).not.toContain('Only here');
  await settled();
  // The sides keep their names.
  expect((await report()).causes.map(({ first }) => [first.reference, first.ours])).toEqual(
    expect.arrayContaining([['Alpha', 'Ours'], ['0', '1']]),
  );
  await tags.updateOne({ _id: 1 }, { $set: { name: 'Alpha' } });
}); // prettier-ignore

test('an answer that a client breaks off is not compared', async () => {
  const slow = createServer((_, response) => void response.write('begin')).listen(0);
  await once(slow, 'listening');
  const { url, report } = await start({ reference: `http://127.0.0.1:${(slow.address() as AddressInfo).port}` });
  const stopping = new AbortController();
  const response = await fetch(url, { signal: stopping.signal });
  stopping.abort();
  await expect(response.text()).rejects.toThrow('aborted');
  while ((await report()).dropped['broken off'] === 0);
  slow.closeAllConnections();
  slow.close();
});

test('the command prints the report when it is stopped', async () => {
  const [lines, stopping] = [[] as string[], new AbortController()];
  const output = { print: (line: string) => void lines.push(line), result: () => undefined };
  const exit = shadow(defaults(), stopping.signal, output);
  while (lines.length === 0) await new Promise((resolve) => setImmediate(resolve));
  stopping.abort();
  expect(await exit).toBe(0);
  expect(lines.at(-1)).toBe('0 requests: 0 equal responses, 0 different, 0 unclear (written meanwhile)');
});
