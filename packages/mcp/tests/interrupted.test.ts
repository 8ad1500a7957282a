import qs from 'qs';
import request from 'supertest';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { system } from '../../../src/documents/caller.js';
import type { Entries } from '../../../src/documents/entries.js';
import type { CallApi } from '../src/api.js';
import type { AssistantOperation } from '../src/operation.js';
import { apply, propose, proposeUndo } from '../src/proposals.js';
import { useService } from '../../../tests/support/service.js';

const rest = useService({ plugins: { mcp: true, i18n: { config: { locales: ['en', 'de'] } } } });

/** Requests to the API as `/mcp` sends them. */
const call: CallApi = async ({ method, path, query = {}, body, headers }) => {
  const url = new URL(`/api${path}`, rest.service.url);
  url.search = qs.stringify(query, { encodeValuesOnly: true });
  const sent = {
    method,
    headers: { authorization: `Bearer ${rest.service.token}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  };
  const response = await fetch(url, sent);
  if (!response.ok) throw new Error(`${response.status}`);
  return { body: (await response.json()) as Record<string, unknown>, headers: Object.fromEntries(response.headers) };
};

class Crash extends Error {}

/** Applying a proposal reads it, sends one request, and records the response. */
const crashes: Readonly<Record<string, { readonly call?: CallApi; readonly update?: Entries['update'] }>> = {
  'before the request': { call: () => Promise.reject(new Crash()) },
  'before the response': { call: (request) => call(request).then(() => Promise.reject(new Crash())) },
  'before the response is recorded': { update: () => Promise.reject(new Crash()) },
};

const proposer = () => ({ caller: system, owner: 'token:1', call, context: rest.service });

/** Applies a proposal in a process that dies at a step, then in another. */
async function applyTwice(proposal: string, step: string) {
  const by = proposer();
  const entries = { ...by.context.entries, ...(crashes[step]?.update && { update: crashes[step].update }) };
  const dying = { ...by, ...crashes[step], context: { ...by.context, entries } };
  await expect(apply(proposal, dying)).rejects.toThrow(Crash);
  return apply(proposal, by);
}

const proposed = async (...operations: readonly AssistantOperation[]): Promise<string> =>
  (await propose(operations, proposer()))['proposal'] as string;

test.each(Object.keys(crashes))('a batch is applied once, whole, after a crash %s', async (step) => {
  const name = `crash ${step}`;
  const proposal = await proposed(
    { action: 'create', type: 'authors', as: 'a', data: { name } },
    { action: 'create', type: 'articles', data: { title: name, author: '$a' } },
  );
  const { applied, entries: written } = await applyTwice(proposal, step);
  expect([applied, (written as unknown[]).length]).toEqual([proposal, 2]);
  expect((await rest.get(`/api/authors?filters[name]=${name}`)).body.data).toHaveLength(1);
  const { body } = await rest.get(`/api/articles?filters[title]=${name}&populate=author`);
  expect(body.data).toMatchObject([{ attributes: { author: { data: { attributes: { name } } } } }]);
});

test('a caller has a limited number of proposals, also if some are made at the same time', async () => {
  const by = { ...proposer(), owner: 'token:busy' };
  const { entries } = by.context;
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  for (let index = 0; index < 98; index += 1)
    await entries.create('admin::mcp-proposal', { key: `busy-${index}`, owner: by.owner, expiresAt, plan: {} });
  const operations: AssistantOperation[] = [{ action: 'create', type: 'authors', data: { name: 'busy' } }];
  // All look before the first one is stored.
  let looked = 0;
  let goOn: (value?: unknown) => void;
  const allHaveLooked = new Promise((resolve) => (goOn = resolve));
  const waiting: CallApi = async (sent) => {
    looked += 1;
    if (looked === 4) goOn();
    await allHaveLooked;
    return call(sent);
  };
  const results = await Promise.allSettled(
    Array.from({ length: 4 }, () => propose(operations, { ...by, call: waiting })),
  );
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
  expect(refusals).toEqual(refusals.map(() => 'tooManyRequests'));
  expect(await entries.count('admin::mcp-proposal', { filters: { owner: by.owner } })).toBe(98 + 4 - refusals.length);
  expect(refusals.length).toBeGreaterThanOrEqual(2);
});

/** What exists before the changes. */
interface Existing {
  readonly article: number;
  readonly homepage: number;
  readonly file: number;
}

const haus = { title: 'Haus', locale: 'de' };
const publishAt = '2090-01-31T09:00:00.000Z';

/** Changes that a proposal consists of, in their order. */
const alone: Readonly<Record<string, (existing: Existing, step: string) => AssistantOperation>> = {
  'the creation of a single type': () => ({ action: 'create', type: 'setting', data: { siteName: 'Created' } }),
  'the update of a single type': () => ({ action: 'update', type: 'setting', data: { siteName: 'Updated' } }),
  'a schedule': ({ article }) => ({ action: 'schedule', type: 'articles', id: article, publishAt }),
  'the removal of a schedule': ({ article }) => ({ action: 'schedule', type: 'articles', id: article }),
  'the deletion of a single type': () => ({ action: 'delete', type: 'setting' }),
  'a localization of a single type': ({ homepage }) => ({
    action: 'create',
    type: 'homepage',
    localizationOf: homepage,
    data: haus,
  }),
  'its schedule': () => ({ action: 'schedule', type: 'homepage', locale: 'de', publishAt }),
  'the removal of its schedule': () => ({ action: 'schedule', type: 'homepage', locale: 'de' }),
  'its deletion as a draft': () => ({ action: 'delete', type: 'homepage', locale: 'de' }),
  'the text of a file': ({ file }, step) => ({ action: 'update', type: 'files', id: file, data: { caption: step } }),
};

describe.each(Object.keys(crashes))('after a crash %s', (step) => {
  let existing: Existing;
  beforeAll(async () => {
    const sent = request(rest.service.url).post('/api/upload').auth(rest.service.token, { type: 'bearer' });
    existing = {
      article: await rest.create('articles', { title: `scheduled ${step}`, publishedAt: null }),
      homepage: (await rest.put('/api/homepage', { title: 'Home' })).body.data.id as number,
      file: (await sent.attach('files', Buffer.from('x'), 'menu.txt')).body[0].id as number,
    };
  });
  const read = async () => {
    const { article, file } = existing;
    const { data: german } = (await rest.get('/api/homepage?locale=de&publicationState=preview')).body;
    return [
      (await rest.get('/api/setting')).body.data?.attributes.siteName,
      (await rest.get(`/api/articles/${article}/schedule`)).body.data.publishAt,
      german?.attributes.title,
      german && (await rest.get(`/api/homepage/${german.id}/schedule`)).body.data.publishAt,
      (await rest.get(`/api/upload/files/${file}`)).body.caption,
    ];
  };
  test.each(Object.keys(alone))('%s has the first response, and can be undone', async (name) => {
    const before = await read();
    const proposal = await proposed(alone[name]?.(existing, step) as AssistantOperation);
    expect(await applyTwice(proposal, step)).toMatchObject({
      applied: proposal,
      entries: [{ type: expect.any(String) }],
    });
    const after = await read();
    expect(after).not.toEqual(before);
    const by = proposer();
    const undo = async (key: string) =>
      apply((await proposeUndo(key, by))['proposal'] as string, by).then(({ applied }) => applied);
    const undone = await undo(proposal);
    expect(await read()).toEqual(before);
    // The next changes it again.
    await undo(undone as string);
    expect(await read()).toEqual(after);
  });
});

describe('what somebody has changed since is not replaced', () => {
  test('a single type that they have created', async () => {
    const proposal = await proposed({ action: 'create', type: 'setting', data: { siteName: 'Mine' } });
    await rest.put('/api/setting', { siteName: 'Theirs' });
    await expect(apply(proposal, proposer())).rejects.toThrow('412');
  });

  test('a schedule', async () => {
    const id = await rest.create('articles', { title: 'contested', publishedAt: null });
    const proposal = await proposed({
      action: 'schedule',
      type: 'articles',
      id,
      publishAt: '2090-01-31T09:00:00.000Z',
    });
    const body = { unpublishAt: '2091-01-31T09:00:00.000Z' };
    await call({ method: 'POST', path: `/articles/${id}/schedule`, body });
    await expect(apply(proposal, proposer())).rejects.toThrow('412');
  });
});
