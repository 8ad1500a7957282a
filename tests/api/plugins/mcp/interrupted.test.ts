import { expect, test } from '@jest/globals';
import type { Entries } from '../../../../src/documents/entries.js';
import type { CallApi } from '../../../../src/plugins/mcp/api.js';
import { openProposals } from '../../../../src/plugins/mcp/proposals.js';
import { useService } from '../../../support/service.js';

const rest = useService({ plugins: { mcp: true } });

/** Requests to the API as `/mcp` sends them. */
const call: CallApi = async ({ method, path, query = {}, body, headers }) => {
  const url = new URL(`/api${path}`, rest.service.url);
  if (query['dryRun'] === true) url.searchParams.set('dryRun', 'true');
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

test.each(Object.keys(crashes))('a proposal is applied once, whole, after a crash %s', async (step) => {
  const { entries, registry } = rest.service;
  const name = `crash ${step}`;
  const operations = [
    { action: 'create', type: 'authors', as: 'a', data: { name } },
    { action: 'create', type: 'articles', data: { title: name, author: '$a' } },
  ] as const;
  const by = { owner: 'token:1', call };
  const { proposal } = await openProposals(entries, registry).propose(operations, by);
  const dying = openProposals({ ...entries, ...(crashes[step]?.update && { update: crashes[step].update }) }, registry);
  await expect(dying.apply(proposal as string, { ...by, ...crashes[step] })).rejects.toThrow(Crash);
  // Another process.
  const { applied, entries: written } = await openProposals(entries, registry).apply(proposal as string, by);
  expect([applied, (written as unknown[]).length]).toEqual([proposal, 2]);
  expect((await rest.get(`/api/authors?filters[name]=${name}`)).body.data).toHaveLength(1);
  const { body } = await rest.get(`/api/articles?filters[title]=${name}&populate=author`);
  expect(body.data).toMatchObject([{ attributes: { author: { data: { attributes: { name } } } } }]);
});
