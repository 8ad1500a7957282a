import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { useService } from '../../../tests/support/service.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'content-service-client-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const service = useService({ contentTypes: 'content-types' });

const write = (file: string, text: string): void => fs.writeFileSync(path.join(folder, file), text);
/** Runs a program in the folder of the front end; rejects if it fails. */
const run = async (command: string, ...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(command, args, { cwd: folder })).stdout;
const ownBin = (name: string): string => path.resolve('node_modules/.bin', name);

/** Packs the client, and installs it in a front end that has nothing else. */
beforeAll(async () => {
  await run('npm', 'pack', path.resolve('packages/client'), '--pack-destination', folder);
  const [tarball = ''] = fs.readdirSync(folder);
  write('package.json', '{ "type": "module", "private": true }');
  await run('npm', 'install', '--offline', '--no-audit', '--no-fund', `./${tarball}`);
});

test('the client has no dependencies', () => {
  const installed = fs.readdirSync(path.join(folder, 'node_modules'));
  expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['@content-service']);
});

/** Prints the title of an entry. */
const program = (url: string): string => `
import { createClient } from '@content-service/client';
const client = createClient({ url: '${url}', token: '${service.service.token}' });
const { data } = await client.create('articles', { title: 'On Bread' });
console.log(data.attributes.title);
`;

test('Node and esbuild import the client, installed where nothing else is', async () => {
  write('page.mjs', program(service.service.url));
  expect(await run(process.execPath, 'page.mjs')).toBe('On Bread\n');
  await run(ownBin('esbuild'), 'page.mjs', '--bundle', '--format=esm', '--outfile=bundle.mjs', '--log-level=warning');
  expect(await run(process.execPath, 'bundle.mjs')).toBe('On Bread\n');
});

test('the program of the package writes types that compile, from a running service', async () => {
  const { url, token } = service.service;
  const bin = path.join('node_modules/.bin/content-service-client');
  const args = ['types', '--url', url, '--token', token];
  const types = fs.readFileSync('packages/client/tests/types/content.d.ts', 'utf8');
  const expected = types.replace(/from '[^']+';/, `from '@content-service/client';`);
  expect(await run(bin, ...args)).toBe(expected);
  expect(await run(bin, ...args, '--out', 'types/content.d.ts')).toBe('Written: types/content.d.ts\n');
  write(
    'typed.ts',
    `import { createClient } from '@content-service/client';
    import type { ContentTypes } from './types/content.js';
    const { data } = await createClient<ContentTypes>({ url: '' }).find('articles', { fields: ['title'] });
    export const title: string | null | undefined = data[0]?.attributes.title;
    // @ts-expect-error: no such attribute
    data[0]?.attributes.titel;`,
  );
  await run(ownBin('tsc'), '--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext', 'typed.ts');
});

test.each([
  [['types'], 'Usage: content-service-client types --url <url>'],
  [['tips', '--url', 'http://127.0.0.1:1'], 'Usage: '],
  [['types', '--uri', 'x'], "Unknown option '--uri'"],
  [['types', '--url', 'http://127.0.0.1:1'], 'http://127.0.0.1:1 does not answer'],
])('the program of the package refuses %j', async (args, message) => {
  const refused = run('node_modules/.bin/content-service-client', ...args);
  await expect(refused).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});
