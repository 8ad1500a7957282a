import { Agent, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { useService } from '../support/service.js';
import { randomRequest, type FuzzRequest } from './random-request.js';

/** `npm run fuzz` sets more. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 400);
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
const AT_ONCE = 8;
/** Milliseconds after which a request will never be answered. */
const TIMEOUT_MS = 60_000;
/** Bytes that may be kept of all requests after the first half, as far as they are measured: with `--expose-gc`. */
const KEPT = 40_000_000;

const client = useService();
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
afterAll(() => agent.destroy());

beforeAll(async () => {
  const author = await client.create('authors', { name: 'Ann' });
  const tags = [await client.create('tags', { name: 'One' }), await client.create('tags', { name: 'Two' })];
  for (const title of ['First', 'Second', 'Third']) await client.create('articles', { title, author, tags });
});

/** The service's description of its routes. */
async function describedRoutes(): Promise<readonly string[]> {
  const { paths } = (await client.get('/documentation/openapi.json')).body as { readonly paths: object };
  return Object.keys(paths).map((path) => `/api${path}`.replaceAll(/\{(\w+)\}/g, ':$1'));
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function send({ method, path, headers, body }: FuzzRequest): Promise<Answer> {
  const { hostname, port } = new URL(client.service.url);
  return new Promise((resolve, reject) => {
    const sending = request({ agent, hostname, port, method, path, headers, timeout: TIMEOUT_MS }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
    });
    sending.on('timeout', () => sending.destroy(new Error('No answer')));
    sending.on('error', reject);
    sending.end(body);
  });
}

/** Words of the driver, of stacks and of this machine. */
const inside =
  /Mongo(?:Server|Network|Error)|E11000|errmsg|codeName|node_modules|\bat .+\.[jt]s:\d+|TypeError|RangeError/;

const wrongWith = ({ status, text }: Answer): string | undefined => {
  if (status >= 500 || status < 200) return `status ${status}: ${text.slice(0, 200)}`;
  return inside.test(text) ? `tells of the inside: ${text.slice(0, 200)}` : undefined;
};

/** Garbage does not count. */
function memory(): number {
  if (globalThis.gc === undefined) return 0;
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

test(
  `${REQUESTS} hostile requests cause no 5xx, no hang, no disclosure and no memory growth`,
  async () => {
    const { service } = client;
    const routes = [
      ...(await describedRoutes()),
      '/_health',
      '/_ready',
      '/metrics',
      '/graphql',
      '/documentation',
      '/uploads/a.png',
      '/api/:name',
      '/api/:name/:id',
      '/nothing',
    ];
    const types = [...service.registry.contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'));
    const collections = types.map((type) => (type.kind === 'singleType' ? type.singularName : type.pluralName));
    const findings: { readonly seed: number; readonly sent: string; readonly wrong: string }[] = [];
    const statuses = new Map<number, number>();
    let next = 0;
    let half = 0;
    const work = async (): Promise<void> => {
      while (next < REQUESTS) {
        const seed = SEED * 1_000_000 + next;
        next += 1;
        if (next === Math.ceil(REQUESTS / 2)) half = memory();
        const fuzzed = randomRequest(seed, routes, collections, service.token);
        const sent = `${fuzzed.method} ${fuzzed.path} ${fuzzed.body ?? ''}`.slice(0, 500);
        const answer = await send(fuzzed).catch((error: unknown) => ({ status: 0, text: String(error) }));
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const wrong = wrongWith(answer);
        if (wrong !== undefined) findings.push({ seed, sent, wrong });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (process.env['FUZZ_REQUESTS'] !== undefined) {
      const summary = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
      console.log(`${routes.length} routes; answers by status: ${summary.join(', ')}`);
    }
    expect(findings).toEqual([]);
    expect(memory() - half).toBeLessThan(KEPT);
    expect((await client.get('/api/articles')).status).toBe(200);
  },
  60_000 + REQUESTS * 60,
);
