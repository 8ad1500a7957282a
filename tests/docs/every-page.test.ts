import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { marked } from 'marked';
import { variables } from '../../src/config/variables.js';
import { answers } from '../../src/errors/codes.js';
import { corpus, useService } from '../support/service.js';
import { notRun } from './not-run.js';
import { readPage } from './read-page.js';

/** The test that does all that a page shows, command by command, and fails when one does not. */
const takenBy: Readonly<Record<string, string>> = {
  'README.md': 'pages.test.ts',
  'docs/aggregation.md': 'pages.test.ts',
  'docs/auth.md': 'operating.test.ts',
  'docs/backup.md': 'operating.test.ts',
  'docs/compatible-services.md': 'operating.test.ts',
  'docs/cookbook.md': 'pages.test.ts',
  'docs/drafts.md': 'operating.test.ts',
  'docs/internals/benchmarks.md': 'operating.test.ts',
  'docs/internals/verification.md': 'operating.test.ts',
  'docs/internals/compiled-queries.md': 'queries.test.ts',
  'docs/internals/conformance.md': 'operating.test.ts',
  'docs/content-types.md': 'pages.test.ts',
  'docs/from-strapi-5.md': 'migration.test.ts',
  'docs/from-strapi-v4.md': 'migration.test.ts',
  'docs/i18n.md': 'features.test.ts',
  'docs/mcp.md': 'operating.test.ts',
  'docs/officer.md': 'operating.test.ts',
  'docs/migrate.md': 'operating.test.ts',
  'docs/quick-start.md': 'pages.test.ts',
  'docs/reference/client.md': 'pages.test.ts',
  'docs/rest.md': 'pages.test.ts',
  'docs/seeding.md': 'operating.test.ts',
  'docs/testing.md': 'pages.test.ts',
  'docs/upgrading.md': 'operating.test.ts',
};

const files = readdirSync('docs').filter((name) => name.endsWith('.md'));
const below = ['internals', 'reference'].flatMap((folder) =>
  readdirSync(`docs/${folder}`).map((name) => `${folder}/${name}`),
);
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'SECURITY.md',
  ...[...files, ...below].map((name) => `docs/${name}`),
].map((page) => ({
  page,
  text: readFileSync(page, 'utf8'),
}));

/** The text in backticks in the prose of a page, and the commands in its blocks. */
const namedIn = (text: string): readonly string[] => [
  ...[...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code),
  ...commandsIn(text),
];
const commandsIn = (text: string): readonly string[] =>
  readPage(text).flatMap((step) => (step.kind === 'commands' ? step.commands : []));

test('every page with commands or requests has a test that runs them', () => {
  const showing = pages
    .filter(({ text }) => commandsIn(text).length > 0 || text.includes('```http'))
    .map(({ page }) => page);
  expect(showing.toSorted()).toEqual(Object.keys(takenBy).toSorted());
  for (const [page, file] of Object.entries(takenBy)) {
    const [name = ''] = page.split('/').slice(-1);
    expect({ page, isRead: readFileSync(`tests/docs/${file}`, 'utf8').includes(name) }).toEqual({ page, isRead: true });
  }
});

/** The anchors of a page's headings, as GitHub forms them. */
const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );

test('every link to a page leads to a file and to a heading of it', () => {
  const links = pages.flatMap(({ page, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].map(([link, file = '', anchor]) => ({
      page,
      link,
      file: file === '' ? page : path.join(path.dirname(page), file),
      anchor,
    })),
  );
  expect(links.length).toBeGreaterThan(100);
  const isBroken = ({ file, anchor }: (typeof links)[number]): boolean =>
    !existsSync(file) ||
    (anchor !== undefined && file.endsWith('.md') && !anchorsOf(readFileSync(file, 'utf8')).has(anchor));
  expect(links.filter(isBroken)).toEqual([]);
});

test('pages for users link only to what the package ships', () => {
  const { files: shipped } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly files: readonly string[] };
  const isShipped = (file: string): boolean => [...shipped, 'README.md', 'LICENSE'].some((one) => file.startsWith(one));
  const links = pages
    .filter(({ page }) => page.startsWith('docs/') && !page.startsWith('docs/internals/'))
    .flatMap(({ page, text }) =>
      [...text.matchAll(/\]\((?!https?:)([^)\s#]+)/g)].map(([, file = '']) => ({
        page,
        file: path.join(path.dirname(page), file),
      })),
    );
  expect(links.filter(({ file }) => !isShipped(file))).toEqual([]);
});

test('pages of the navigation say whom they are for, and guides what comes next', () => {
  const sections = readFileSync('docs/README.md', 'utf8').split(/^## /m);
  const linkedFrom = (...names: readonly string[]): readonly string[] =>
    sections
      .filter((section) => names.some((name) => section.startsWith(`${name}\n`)))
      .flatMap((section) => [...section.matchAll(/\]\(([a-z0-9-]+\.md)/g)].map(([, file = '']) => file));
  const lacking = (pages: readonly string[], part: RegExp): readonly string[] =>
    pages.filter((page) => !part.test(readFileSync(`docs/${page}`, 'utf8')));
  expect(linkedFrom('Guides').length).toBeGreaterThan(15);
  expect(lacking(linkedFrom('Start', 'Guides', 'Run'), /^# .*\n\n_For_ /)).toEqual([]);
  expect(lacking(linkedFrom('Guides'), /^## Next$/m)).toEqual([]);
});

test('pages that name the version of Node name that of the package', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly engines: { readonly node: string };
  };
  const [lowest] = /\d+\.\d+/.exec(engines.node) ?? [];
  const named = ['README.md', 'CONTRIBUTING.md', ...files.map((name) => `docs/${name}`)].flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\bNode(?:\]\([^)]*\))? (\d+\.\d+)/g)].map(([, version]) => ({
      page,
      version,
    })),
  );
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter(({ version }) => version !== lowest)).toEqual([]);
});

test('no row of a table is cut off from it, and no text is indented to code', () => {
  const misread = pages.flatMap(({ page, text }) =>
    marked
      .lexer(text)
      .filter(
        (token) =>
          (token.type === 'paragraph' && token.raw.startsWith('|')) ||
          (token.type === 'code' && 'codeBlockStyle' in token && token.codeBlockStyle === 'indented'),
      )
      .map(({ raw }) => `${page}: ${raw}`),
  );
  expect(misread).toEqual([]);
});

test('every code block has a language that the tests support', () => {
  const supported = new Set([
    'sh',
    'json',
    'ndjson',
    'js',
    'ts',
    'http',
    'ini',
    'dockerfile',
    'nginx',
    'vcl',
    'html',
    'graphql',
    '',
  ]);
  const languages = pages.flatMap(({ page, text }) =>
    [...text.matchAll(/^```(\w*)\n.*?^```$/gms)].map(([, language = '']) => ({ page, language })),
  );
  expect(languages.filter(({ language }) => !supported.has(language))).toEqual([]);
});

test('every command that is not run is on a page, and its substitute test exists', () => {
  const documented = new Set(pages.flatMap(({ text }) => commandsIn(text)));
  for (const [command, reason] of Object.entries(notRun)) {
    expect(documented).toContain(command);
    for (const [file] of reason.matchAll(/tests\/\S+\.ts/g)) expect(existsSync(file)).toBe(true);
  }
});

describe('names in prose exist:', () => {
  const named = pages.flatMap(({ page, text }) => namedIn(text).map((code) => ({ page, code })));

  test('scripts of npm', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly scripts: object };
    const used = named.flatMap(({ page, code }) => {
      const [, script] = /\bnpm (?:run (?:-s )?)?(?!run\b)([\w:-]+)/.exec(code) ?? [];
      return script === undefined ? [] : [{ page, script }];
    });
    const npmItself = new Set(['init', 'install', 'pkg', 'audit', 'ci', 'pack', 'sbom', 'uninstall']);
    expect(used.length).toBeGreaterThan(30);
    expect(used.filter(({ script }) => !npmItself.has(script) && !Object.hasOwn(scripts, script))).toEqual([]);
  });

  test('commands of the program', () => {
    const { stdout } = spawnSync(process.execPath, ['bin/content-service.mjs', '--help'], { encoding: 'utf8' });
    const commands = new Set([...stdout.matchAll(/^  ([a-z][a-z-]*)\b.* {2}/gm)].map(([, name]) => name));
    const used = named.flatMap(({ page, code }) => {
      const [, command] = /\bnpx content-service ([a-z-]+)/.exec(code) ?? [];
      return command === undefined ? [] : [{ page, command }];
    });
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter(({ command }) => !commands.has(command))).toEqual([]);
  });

  test('files of this repository', () => {
    const used = named.flatMap(({ page, code }) =>
      /^(?:src|scripts|tests|bin|schemas)\/[\w./-]+$/.test(code) ? [{ page, code }] : [],
    );
    expect(used.length).toBeGreaterThan(20);
    const isThere = (file: string): boolean =>
      [file, `${file}.ts`, file.replace('src/', '')].some((path) => existsSync(path));
    expect(used.filter(({ code }) => !isThere(code))).toEqual([]);
  });

  test('settings', () => {
    const ofOthers = new Set([
      'AUDIT_KEY',
      'EDITOR_TOKEN',
      'FAULT_ROUNDS',
      'NO_COLOR',
      'NODE_OPTIONS',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'OTEL_SERVICE_NAME',
      'OTHER_VERSION',
      'TEST_THOROUGH',
    ]);
    const ofGraphql = new Set<string>(Object.values(answers).map(({ graphql }) => graphql));
    const used = named.flatMap(({ page, code }) =>
      [...code.matchAll(/\b([A-Z]+(?:_[A-Z]+)+)\b(?==|$)/g)].map(([, name = '']) => ({ page, name })),
    );
    expect(used.length).toBeGreaterThan(30);
    expect(
      used.filter(({ name }) => !Object.hasOwn(variables, name) && !ofOthers.has(name) && !ofGraphql.has(name)),
    ).toEqual([]);
  });
});

/**
 * Services of tests do not run in development: tests/api/plugins/documentation, tests/api/plugins/content-type-builder.
 */
const onlyInDevelopment = /^\/(?:documentation$|api\/content-type-builder\/definitions)/;

/** A value for each parameter of a path, with which there is a route: some are there only for a content type. */
const parameters = {
  id: '1',
  documentId: 'c5e0gj32uddt4ogqnwqqdv4e',
  provider: 'github',
  uid: 'api::article.article',
  attribute: 'slug',
  value: 'first',
  version: '1',
  session: 'tab-of-ann',
  passkey: 'key-of-ann',
};

const filled = (path: string): string =>
  Object.entries(parameters).reduce((named, [name, value]) => named.replaceAll(`/:${name}`, `/${value}`), path);

/** The content types of the recorded world, with a trash, which they do not have there. */
function typesWithTrash(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'types-'));
  cpSync(corpus, folder, { recursive: true });
  const file = path.join(folder, 'article.json');
  const { options, ...definition } = JSON.parse(readFileSync(file, 'utf8')) as { readonly options: object };
  writeFileSync(file, JSON.stringify({ ...definition, options: { ...options, trash: 30 } }));
  return folder;
}

describe('requests in prose', () => {
  const plugins = {
    'api-tokens': { config: { routes: true } },
    upload: { config: { folders: true, trash: 30 } },
    admin: true,
    audit: true,
    mcp: true,
    strapi5: true,
    versions: true,
  };
  const contentTypes = typesWithTrash();
  const client = useService({ contentTypes, plugins, environment: { EVENTS: 'true' } }, { checked: false });
  const used = pages.flatMap(({ page, text }) =>
    namedIn(text).flatMap((code) => {
      const [, method = '', path = ''] = /^(GET|POST|PUT|DELETE) (\/\S+)$/.exec(code) ?? [];
      return method === '' || onlyInDevelopment.test(path) ? [] : [{ page, method, path: filled(path) }];
    }),
  );

  test('have a route', async () => {
    expect(used.length).toBeGreaterThan(30);
    expect(used.filter(({ path }) => path.includes('/:'))).toEqual([]);
    const missing: object[] = [];
    for (const { page, method, path } of used) {
      // Nobody may do anything here: a route refuses, and where there is none, nothing is found.
      const { status } = await fetch(client.service.url + path, { method, redirect: 'manual' });
      if (status === 404 || status === 405) missing.push({ page, method, path, status });
    }
    expect(missing).toEqual([]);
  });
});

test('docs/reference/headers.md has every header of the service', () => {
  const page = readFileSync('docs/reference/headers.md', 'utf8').toLowerCase();
  const names = readdirSync('src', { recursive: true })
    .filter((name) => String(name).endsWith('.ts'))
    .flatMap((name) => [
      ...readFileSync(`src/${String(name)}`, 'utf8').matchAll(/'((?:x|idempot|if|retry|last-event)[a-z]*-[a-z-]+)'/gi),
    ])
    .map(([, name = '']) => name.toLowerCase());
  expect(names.length).toBeGreaterThan(20);
  // What Koa reads of requests whose address a proxy has set, and what tells a tool of Apollo apart.
  const others = new Set(['x-client-ip', 'x-real-ip', 'x-apollo-operation-name']);
  expect(names.filter((name) => !others.has(name) && !page.includes(name))).toEqual([]);
});
