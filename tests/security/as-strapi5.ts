import { expect } from '@jest/globals';
import type { TestService } from '../../src/testing.js';
import { sendRaw, type RawAnswer } from './send-raw.js';

type Service = Pick<TestService, 'url' | 'token'>;

/** A request of Strapi v4's form at the address of Strapi 5's. */
const inStrapi5 = (path: string): string => `/v5${path}`;

/** What no answer may have: values that nobody may read, and what the service is made of. */
const internals = /SECRET\d|HIDDEN\d|\$2[aby]\$|Mongo|BSON|E11000|Internal Server|at .*\.[jt]s:/;

function expectNoInternals(path: string, { status, text }: RawAnswer): void {
  expect([path, status < 500]).toEqual([path, true]);
  expect([path, internals.exec(text)?.[0]]).toEqual([path, undefined]);
}

interface Listed {
  readonly data?: readonly { readonly id: number; readonly documentId?: string }[] | null;
}

/** Parameters that only Strapi v4 has, or of which Strapi 5 takes the nearest value that there is. */
const otherParameters = /publicationState|pagination/;

/**
 * Expects that a read which Strapi v4's API refuses is refused by Strapi 5's, too, and that its list has no other
 * entries.
 */
export async function expectNoMore(service: Service, path: string, rest: RawAnswer): Promise<void> {
  if (!path.startsWith('/api/')) return;
  const answer = await sendRaw(service, inStrapi5(path));
  expectNoInternals(path, answer);
  if (rest.status >= 400 && !otherParameters.test(path)) expect([path, answer.status >= 400]).toEqual([path, true]);
  if (rest.status !== 200 || answer.status !== 200) return;
  const [all, shown] = [rest, answer].map(({ text }) => (JSON.parse(text) as Listed).data);
  if (!Array.isArray(all) || !Array.isArray(shown)) return;
  const ids = new Set(all.map(({ id }: { readonly id: number }) => id));
  expect([path, shown.filter(({ id }: { readonly id: number }) => !ids.has(id))]).toEqual([path, []]);
}

/** What Strapi 5 leaves out of the data: it says in parameters what an entry becomes. */
const withoutEffect = /"(?:publishedAt|locale)":/;

/**
 * Expects that a write which Strapi v4's API refuses is refused by Strapi 5's, too, as a creation and as the draft of
 * an entry. Others are dry runs.
 * @param body JSON, or what is none
 */
export async function expectNotWritten(
  service: Service,
  path: string,
  body: string | Buffer,
  rest: RawAnswer,
): Promise<void> {
  const [, type] = /^\/api\/([\w-]+)(?:\/\d+)?$/.exec(path) ?? [];
  if (type === undefined) return;
  const write = async (method: 'POST' | 'PUT', address: string, { status: expected }: RawAnswer): Promise<void> => {
    const isRefused = expected >= 400 && !withoutEffect.test(body.toString());
    const dryRun = isRefused ? '' : `${address.includes('?') ? '&' : '?'}dryRun=true`;
    const answer = await sendRaw(service, inStrapi5(address) + dryRun, { method, body });
    expectNoInternals(`${method} ${address} ${body.toString().slice(0, 200)}`, answer);
    const sent = [method, address, body.toString().slice(0, 200)];
    if (isRefused) expect([...sent, answer.status >= 400]).toEqual([...sent, true]);
  };
  await write('POST', `/api/${type}`, rest);
  const { status, text } = await sendRaw(service, `/v5/api/${type}?pagination[pageSize]=1`);
  const [entry] = (status === 200 && (JSON.parse(text) as Listed).data) || [];
  if (entry?.documentId === undefined) return;
  const update = await sendRaw(service, `/api/${type}/${entry.id}?dryRun=true`, { method: 'PUT', body });
  await write('PUT', `/api/${type}/${entry.documentId}?status=draft`, update);
}

/** A GraphQL request to the schema of Strapi v4 as one to that of Strapi 5. */
export const asStrapi5Document = (text: string): string =>
  text
    .replaceAll(/\{ data \{ id \} \}/g, '{ documentId }')
    .replaceAll(/\{ data \{ attributes \{ (.*?) \} \} \}/g, '{ $1 }')
    .replaceAll('$id: ID)', '$id: ID!)')
    .replaceAll('(id: ', '(documentId: ');
