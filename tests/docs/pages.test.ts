import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as sample from '../../src/extensions/index.js';
import { createTestService, type TestServiceOptions } from '../../src/testing.js';
import { fits, readPage } from './read-page.js';
import { runPage } from './run-page.js';

const mongodbUri = process.env['TEST_MONGODB_URI'] ?? '';
const token = 'at-least-sixteen-characters';
const read = (file: string): string => readFileSync(file, 'utf8');

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

/** An empty project with the package, as `npm install` would leave it. */
function project(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'content-service-docs-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(process.cwd(), path.join(folder, 'node_modules/content-service'));
  return folder;
}

async function start(options: TestServiceOptions): Promise<string> {
  const service = await createTestService({ mongodbUri, ...options, environment: { MY_TOKEN: token } });
  undo.push(() => service.close());
  return service.url;
}

/** The sample content, which anyone may read; a token that may do everything. */
async function startClone(): Promise<string> {
  const folder = project();
  for (const name of readdirSync('content-types'))
    symlinkSync(path.resolve('content-types', name), path.join(folder, name));
  rmSync(path.join(folder, 'access.json'));
  const access = JSON.parse(read('content-types/access.json')) as object;
  const tokens = { me: { type: 'full-access', key: { env: 'MY_TOKEN' } } };
  writeFileSync(path.join(folder, 'access.json'), JSON.stringify({ ...access, tokens }));
  rmSync(path.join(folder, 'node_modules'), { recursive: true });
  rmSync(path.join(folder, 'package.json'));
  return start({ contentTypes: folder, extension: sample });
}

test('what the README shows is so', async () => {
  const folder = project();
  const page = read('README.md');
  const clone = page.slice(0, page.indexOf('## Your own content'));
  const { wrong, ran } = await runPage(clone, { folder, start: startClone });
  expect(wrong).toEqual([]);
  expect(ran).toBe(2);
});

test('what docs/rest.md shows is so', async () => {
  const url = await startClone();
  const { wrong, ran } = await runPage(read('docs/rest.md').replaceAll('http://localhost:1337', url), {
    folder: project(),
    start: () => Promise.resolve(url),
  });
  expect(wrong).toEqual([]);
  expect(ran).toBe(8);
});

test('docs/getting-started.md leads from an empty folder to a typed client', async () => {
  const folder = project();
  const begun = Date.now();
  const contentTypes = path.join(folder, 'content-types');
  const { wrong, ran } = await runPage(read('docs/getting-started.md'), {
    folder,
    start: () => start({ contentTypes }),
  });
  expect(wrong).toEqual([]);
  expect(ran).toBeGreaterThan(9);
  expect(Date.now() - begun).toBeLessThan(60_000);
}, 60_000);

test('what docs/content-types.md shows is so', async () => {
  const page = read('docs/content-types.md');
  const folder = project();
  const commands = page.slice(0, page.indexOf('The second file'));
  expect((await runPage(commands, { folder, start: () => Promise.reject(new Error('not started')) })).wrong).toEqual(
    [],
  );
  const written = JSON.parse(read(path.join(folder, 'content-types/category.json'))) as object;
  const shown = readPage(page).find((step) => step.kind === 'file');
  expect(fits(JSON.parse(shown?.text ?? ''), written)).toBe(true);
}, 60_000);

test('what docs/testing.md shows passes', async () => {
  const folder = project();
  const testing = read('docs/testing.md').replace(
    '= await createTestService();',
    `= await createTestService({ mongodbUri: '${mongodbUri}' });`,
  );
  const { wrong, ran } = await runPage(testing, { folder, start: () => Promise.reject(new Error()) });
  expect(wrong).toEqual([]);
  expect(ran).toBe(1);
}, 60_000);

describe('docs/deployment.md', () => {
  const files = new Map(
    readPage(read('docs/deployment.md')).flatMap((step) =>
      step.kind === 'file' ? [[step.path, step.text] as const] : [],
    ),
  );

  test('names settings that there are', () => {
    const known = read('.env.example');
    const settings = [...(files.get('content-service.env') ?? '').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(settings.length).toBeGreaterThan(4);
    for (const name of settings) expect(known).toMatch(new RegExp(`^# ${name}=`, 'm'));
  });

  test('starts the program that the package brings, on the port that the proxy asks', () => {
    const { bin } = JSON.parse(read('package.json')) as { readonly bin: Readonly<Record<string, string>> };
    const [name] = Object.keys(bin);
    expect(files.get('/etc/systemd/system/content-service.service')).toContain(`/node_modules/.bin/${name} start`);
    expect(files.get('Dockerfile')).toContain(`["node_modules/.bin/${name}", "start"]`);
    expect(files.get('nginx.conf')).toContain('server 127.0.0.1:1337;');
  });
});

test('the README compares with the figures that were measured', () => {
  const measured = new Map(
    [...read('docs/performance.md').matchAll(/^\| (W\d)\s+\| service\s+\|(?:[^|]+\|){4}\s+([\d.]+) \|/gm)].map(
      ([, name, milliseconds]) => [name, Number(milliseconds)],
    ),
  );
  const rows = [...read('README.md').matchAll(/^\| (W\d) [^|]+\|\s+([\d.]+) \|/gm)];
  expect(rows).toHaveLength(7);
  for (const [, name, milliseconds] of rows) expect([name, Number(milliseconds)]).toEqual([name, measured.get(name)]);
});

test('links between pages lead somewhere', () => {
  const pages = ['README.md', 'ARCHITECTURE.md', ...readdirSync('docs').map((name) => `docs/${name}`)];
  const links = pages
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = '']) =>
        path.join(path.dirname(page), link),
      ),
    );
  expect(links.length).toBeGreaterThan(40);
  expect(links.filter((link) => !existsSync(link))).toEqual([]);
});
