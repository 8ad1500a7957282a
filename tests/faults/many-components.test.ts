import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeProject, startService, type Project, type ServiceProcess } from './service-process.js';

/** Anonymous requests of 600 kB from six addresses at once, to a process with a heap of 512 MB in production. */
let project: Project;
let service: ServiceProcess;

const order = {
  kind: 'collectionType',
  collectionName: 'orders',
  info: { singularName: 'order', pluralName: 'orders', displayName: 'Order' },
  attributes: {
    note: { type: 'json' },
    boxes: { type: 'component', component: 'node.box', repeatable: true },
    text: { type: 'blocks' },
  },
};

beforeAll(async () => {
  project = makeProject();
  const folder = path.join(project.folder, 'content-types');
  const access = { roles: { public: { permissions: ['api::order.order.create', 'api::order.order.find'] } } };
  fs.writeFileSync(path.join(folder, 'order.json'), JSON.stringify(order));
  fs.writeFileSync(path.join(folder, 'access.json'), JSON.stringify(access));
  fs.writeFileSync(path.join(project.folder, 'plugins.json'), JSON.stringify({ graphql: true }));
  service = await startService(project, { NODE_OPTIONS: '--max-old-space-size=512' });
});
afterAll(async () => {
  await service.stop();
  project.remove();
});

/** The status of a request from an address of this machine. */
async function statusFrom(localAddress: string, method: string, address: string, body = ''): Promise<number> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const request = http.request(`${service.url}${address}`, { method, headers, localAddress, agent: false }).end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  await once(response.resume(), 'end');
  return response.statusCode ?? 0;
}

const list = (item: string, count: number): string => `[${Array.from({ length: count }, () => item).join()}]`;
const boxes = `{"data":{"boxes":${list('{}', 200_000)}}}`;
const manyNames = `{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join()}}`;
const names = `{"data":${manyNames}}`;
const nodes = `{"data":{"text":${list('{"type":"x"}', 45_000)}}}`;
const json = `{"data":{"note":${list('{}', 200_000)}}}`;
const namesOfJson = `{"data":{"note":${manyNames}}}`;
const allowedNames = `{"data":{"note":{${Array.from({ length: 50_000 }, (_, index) => `"name${index}":1`).join()}}}}`;
const mutation = 'mutation($data:OrderInput!){createOrder(data:$data){data{id}}}';
const variables = `{"query":"${mutation}","variables":${boxes}}`;

const find = 'query($filters:OrderFiltersInput){orders(filters:$filters){data{id}}}';
const conditions = `{"query":"${find}","variables":{"filters":{"or":${list('{}', 200_000)}}}}`;

const addresses = Array.from({ length: 6 }, (_, index) => `127.0.0.${index + 1}`);

test.each([
  ['components', '/api/orders', boxes, 400],
  ['names that no attribute has', '/api/orders', names, 400],
  ['nodes of a text', '/api/orders', nodes, 400],
  ['elements of a text that are no nodes', '/api/orders', `{"data":{"text":${list('1', 300_000)}}}`, 400],
  ['values of JSON', '/api/orders', json, 400],
  ['names in JSON', '/api/orders', namesOfJson, 400],
  ['values of JSON in variables of GraphQL', '/graphql', `{"query":"${mutation}","variables":${json}}`, 400],
  ['components in variables of GraphQL', '/graphql', variables, 400],
  ['conditions in variables of GraphQL', '/graphql', conditions, 400],
])('%s: six bodies of 600 kB are refused, and others are answered meanwhile', async (_what, address, body, status) => {
  const refused = Promise.all(addresses.map((from) => statusFrom(from, 'POST', address, body)));
  expect(await statusFrom('127.0.0.7', 'GET', '/api/orders')).toBe(200);
  expect(await refused).toEqual(addresses.map(() => status));
  const stored = await fetch(`${service.url}/api/orders?pagination[pageSize]=1`);
  expect(await stored.json()).toMatchObject({ data: [], meta: { pagination: { total: 0 } } });
});

test('six bodies with as many names in JSON as are allowed are stored, and others are answered meanwhile', async () => {
  const stored = Promise.all(addresses.map((from) => statusFrom(from, 'POST', '/api/orders', allowedNames)));
  expect(await statusFrom('127.0.0.7', 'GET', '/api/orders?fields=id')).toBe(200);
  expect(await stored).toEqual(addresses.map(() => 200));
});
