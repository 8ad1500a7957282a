import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as sample from '../../extensions/index.js';
import { createClient } from '@content-service/client';
import { createTestService, type TestServiceOptions } from '../../src/testing.js';
import { useProjects, type OwnProject } from './own-project.js';
import { fits, readPage } from './read-page.js';
import { runPage } from './run-page.js';

const mongodbUri = process.env['TEST_MONGODB_URI'] ?? '';
const token = 'at-least-sixteen-characters';
const read = (file: string): string => readFileSync(file, 'utf8');

const project = useProjects();
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

async function start(options: TestServiceOptions): Promise<string> {
  const service = await createTestService({ mongodbUri, ...options, environment: { MY_TOKEN: token } });
  undo.push(() => service.close());
  return service.url;
}

/** The sample content, which anyone may read; a token that may do everything. */
async function startClone(): Promise<string> {
  const own = project('content-types');
  const access = JSON.parse(read('content-types/access.json')) as object;
  own.write('content-types/access.json', {
    ...access,
    tokens: { me: { type: 'full-access', key: { env: 'MY_TOKEN' } } },
  });
  return start({ contentTypes: path.join(own.folder, 'content-types'), extension: sample });
}

test('the commands and output of the README are correct', async () => {
  const { wrong, ran } = await runPage(read('README.md'), { ...project(), start: startClone });
  expect(wrong).toEqual([]);
  expect(ran).toBe(2);
});

test('the requests and responses of docs/rest.md are correct', async () => {
  const url = await startClone();
  const own = project();
  own.environment['TOKEN'] = token;
  const { wrong, ran } = await runPage(
    read('docs/rest.md'),
    { ...own, start: () => Promise.resolve(url) },
    { started: true },
  );
  expect(wrong).toEqual([]);
  expect(ran).toBe(2);
});

test('the requests and responses of docs/aggregation.md are correct', async () => {
  const { wrong, ran } = await runPage(
    read('docs/aggregation.md'),
    { ...project(), start: startClone },
    { started: true },
  );
  expect(wrong).toEqual([]);
  expect(ran).toBe(10);
});

test('the requests and responses of docs/cookbook.md are correct', async () => {
  const url = await startClone();
  const own = project();
  own.environment['TOKEN'] = token;
  copyFileSync('tests/fixtures/corpus/fixtures/wide.png', path.join(own.folder, 'cat.jpg'));
  const { wrong, ran } = await runPage(
    read('docs/cookbook.md'),
    { ...own, start: () => Promise.resolve(url) },
    { started: true },
  );
  expect(wrong).toEqual([]);
  expect(ran).toBe(20);
});

/** The project that the quick start makes, in which the next pages go on. */
async function startedProject(): Promise<OwnProject> {
  const own = project();
  const init = 'npx content-service init my-site --yes';
  expect((await runPage(`\`\`\`sh\n${init}\n\`\`\`\n`, own)).wrong).toEqual([]);
  cpSync(path.join(own.folder, 'my-site'), own.folder, { recursive: true });
  return own;
}

test('the steps of docs/quick-start.md lead from a new project to a published article in a front end', async () => {
  const own = await startedProject();
  const settings = readFileSync(path.join(own.folder, '.env'), 'utf8');
  const [, key = ''] = /^EDITOR_TOKEN=(.+)$/m.exec(settings) ?? [];
  own.environment['EDITOR_TOKEN'] = key;
  copyFileSync('tests/fixtures/corpus/fixtures/wide.png', path.join(own.folder, 'cat.jpg'));
  const page = read('docs/quick-start.md');
  // The test of the package installs it; here its programs are those of this repository.
  const { wrong, ran } = await runPage(page.slice(page.indexOf('## 3. Save a draft')), own, { started: true });
  expect(wrong).toEqual([]);
  expect(ran).toBe(5);
});

test('the program of docs/reference/client.md prints what it says', async () => {
  const url = await startClone();
  const { wrong, ran } = await runPage(
    read('docs/reference/client.md'),
    { ...project('content-types'), start: () => Promise.resolve(url) },
    { started: true },
  );
  expect(wrong).toEqual([]);
  expect(ran).toBe(3);
});

test('docs/reference/client.md names every method of the client', () => {
  const methods = Object.entries(createClient({ url: 'http://localhost' })).flatMap(([name, value]) =>
    typeof value === 'function' ? [name] : [],
  );
  expect(methods.length).toBeGreaterThan(15);
  const page = read('docs/reference/client.md');
  expect(methods.filter((name) => !page.includes(`\`${name}(`))).toEqual([]);
});

test('the commands and files of docs/content-types.md are correct', async () => {
  const page = read('docs/content-types.md');
  const own = await startedProject();
  expect((await runPage(page, own)).wrong).toEqual([]);
  const written = JSON.parse(read(path.join(own.folder, 'content-types/category.json'))) as object;
  const example = readPage(page).find((step) => step.kind === 'file');
  expect(fits(JSON.parse(example?.text ?? ''), written)).toBe(true);
});

test('the tests of docs/testing.md pass', async () => {
  const testing = read('docs/testing.md').replaceAll(
    '= await createTestService();',
    `= await createTestService({ mongodbUri: '${mongodbUri}' });`,
  );
  const { wrong, ran } = await runPage(testing, project());
  expect(wrong).toEqual([]);
  expect(ran).toBe(1);
});

describe('docs/deployment.md', () => {
  test('names existing settings only', () => {
    const template = read('.env.example');
    const files = readPage(read('docs/deployment.md')).flatMap((step) => (step.kind === 'file' ? [step.text] : []));
    const settings = files.flatMap((text) => [...text.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name));
    expect(settings.length).toBeGreaterThan(4);
    for (const name of settings) expect(template).toMatch(new RegExp(`^# ${name}=`, 'm'));
  });

  test('starts the program of the package on the port of the proxy', () => {
    const { bin } = JSON.parse(read('package.json')) as { readonly bin: Readonly<Record<string, string>> };
    const [name] = Object.keys(bin);
    expect(read('docs/deployment/content-service.service')).toContain(`/node_modules/.bin/${name} start`);
    expect(read('docs/deployment/Dockerfile')).toContain(`["node_modules/.bin/${name}", "start"]`);
    expect(read('docs/deployment/kubernetes.yaml')).toContain('containerPort: 1337');
    expect(read('docs/deployment/nginx.conf')).toContain('server 127.0.0.1:1337;');
  });
});

describe('alerts and dashboard', () => {
  const alerts = 'docs/deployment/alerts.yaml';
  const { panels } = JSON.parse(read('docs/deployment/dashboard.json')) as {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
  };
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

  test.each([
    ['alert rules', read(alerts)],
    ['panels', expressions.join('\n')],
  ])('the %s name metrics of the service', (_, text) => {
    const exported = [...read('docs/reference/metrics.md').matchAll(/`(\w+_\w+)`/g)].map(([, name]) => name);
    const used = text.match(/\b[a-z]+(?:_[a-z]+)+\b(?! ?\()/g) ?? [];
    expect(used.length).toBeGreaterThan(5);
    for (const name of used) expect(exported).toContain(name.replace(/_(?:count|bucket)$/, ''));
  });

  const isInstalled = spawnSync('promtool', ['--version']).status === 0;
  (isInstalled ? describe : describe.skip)('by Prometheus', () => {
    test('are accepted', () => {
      const records = expressions.map((expr, index) => ({ record: `panel_${index}`, expr }));
      const own = project();
      own.write('panels.json', { groups: [{ name: 'panels', rules: records }] });
      const rules = path.join(own.folder, 'panels.json');
      const { status, stderr } = spawnSync('promtool', ['check', 'rules', alerts, rules], { encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    });
  });
});

test('the README quotes the figures of the page on performance', () => {
  const rowsOf = (page: string): readonly (readonly string[])[] =>
    [...read(page).matchAll(/^\| W\d [^|]+\|.*$/gm)].map(([row]) => row.split('|').map((cell) => cell.trim()));
  const measured = rowsOf('docs/performance.md');
  const quoted = rowsOf('README.md');
  expect(quoted).toHaveLength(10);
  for (const row of quoted) {
    const ofSameRequest = measured.filter(([, name]) => name === row[1]);
    // Beside other systems it leaves out the program that is written by hand.
    expect(ofSameRequest.flatMap((one) => [one, one.toSpliced(3, 1)])).toContainEqual(row);
  }
});

test('links between pages are valid', () => {
  const pages = [
    'README.md',
    'ARCHITECTURE.md',
    ...readdirSync('docs', { recursive: true }).map((name) => `docs/${String(name)}`),
  ];
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
