import fs from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useService } from '../support/service.js';
import { sendRaw } from './send-raw.js';

const client = useService();
const get = (path: string) => sendRaw(client.service, path);
/** Milliseconds of processor time, far more than is needed. */
const SOON = 5000;

describe('S77: a list has at most the maximum page size', () => {
  beforeAll(async () => {
    for (let index = 0; index < 105; index += 1) await client.create('tags', { name: `Tag ${index}` });
  });

  test.each([
    ['pagination[pageSize]=1000000', 100],
    ['pagination[limit]=-1', 100],
    ['pagination[limit]=1000000', 100],
    ['pagination[start]=1000000000', 0],
    ['pagination[page]=1000000000', 0],
  ])('%s', async (query, most) => {
    const { status, text, time } = await get(`/api/tags?${query}`);
    expect({ status, length: (JSON.parse(text) as { data: unknown[] }).data.length }).toEqual({
      status: 200,
      length: most,
    });
    expect(time).toBeLessThan(SOON);
  });

  test('on six nested levels', async () => {
    const levels = ['articles', 'tags', 'articles', 'tags', 'articles', 'author'];
    const { status, time } = await get(
      `/api/tags?populate${levels.map((name) => `[${name}]`).join('[populate]')}[populate]=*`,
    );
    expect([200, 400]).toContain(status);
    expect(time).toBeLessThan(SOON);
  });
});

test('S78: only a download by an assistant goes to an address from a client: webhooks and logins use configured ones', () => {
  // The client is for other programs, and the pages of the editor run in browsers.
  const packages = fs.readdirSync('packages').filter((name) => name !== 'client');
  const callers = ['src', ...packages.map((name) => `packages/${name}/src`)]
    .flatMap((folder) =>
      fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    .filter((name) => !name.startsWith('packages/editor/src/browser/'))
    .filter((name) => /^(?:src\/(?:rest|plugins|documents|mongo)|packages)\/.*\.ts$|^src\/\w+\.ts$/.test(name))
    .filter((name) =>
      /\bfetch\(|\bhttps?\.request\b|\bhttps?\.get\(|\{ request \} = url/.test(fs.readFileSync(name, 'utf8')),
    );
  expect(callers.toSorted()).toEqual([
    // That of a cache, in `config/cdn.json`.
    'packages/cdn/src/purge.ts',
    // Within the process.
    'packages/mcp/src/api.ts',
    // From public addresses only.
    'packages/mcp/src/fetch-file.ts',
    'src/plugins/contract/http/send.ts',
    'src/plugins/users-permissions/providers/open-id.ts',
  ]);
});
