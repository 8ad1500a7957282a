import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createEnv } from '../../src/config/project/env.js';
import { explainLoading, sourceLocation } from '../../src/config/project/load-module.js';

let project: string;
beforeEach(() => {
  project = fs.mkdtempSync(path.join(os.tmpdir(), 'modules-'));
});
afterEach(() => fs.rmSync(project, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    fs.writeFileSync(path.join(project, name), text);
  }
}

/** The output of a process of the built service in the project folder: modules are loaded by Node, not by Jest. */
function run(script: string, environment: Record<string, string> = {}): unknown {
  const options = { cwd: project, encoding: 'utf8', env: { ...process.env, ...environment } } as const;
  // A file: to a script on the command line Node gives a global `module`.
  write({ 'run.mjs': script });
  return JSON.parse(execFileSync(process.execPath, ['run.mjs'], options));
}

const built = (file: string): string => JSON.stringify(pathToFileURL(path.resolve(file)).href);

/** The names of what the extension exports, or why it is refused. */
const loadExtension = (): unknown =>
  run(`import { loadExtension } from ${built('dist/app/load-extension.js')};
    loadExtension(process.cwd()).then(
      (extension) => console.log(JSON.stringify(Object.entries(extension).map(([name, part]) => [name, typeof part]))),
      (error) => console.log(JSON.stringify(error.message)));`);

const readPlugins = (environment: Record<string, string> = {}): unknown =>
  run(
    `import { readConfig } from ${built('dist/config/load-config.js')};
    readConfig().then(({ plugins }) => console.log(JSON.stringify(plugins)), (error) => console.log(JSON.stringify(error.message)));`,
    environment,
  );

const forms = {
  'module.exports': 'module.exports = { bootstrap() {}, lifecycles: {} };',
  'a default export': 'export default { bootstrap() {}, lifecycles: {} };',
  'exports with names': 'export const bootstrap = () => {};\nexport const lifecycles = {};',
  'a default export beside one with a name': 'export default { bootstrap() {} };\nexport const lifecycles = {};',
  'what a compiler makes of a default export':
    'Object.defineProperty(exports, "__esModule", { value: true });\nexports.default = { bootstrap() {}, lifecycles: {} };',
};
const typed =
  'type Log = (text: string) => void;\nexport const bootstrap: Log = () => {};\nexport const lifecycles: object = {};';
const both = [
  ['bootstrap', 'function'],
  ['lifecycles', 'object'],
];

describe('extensions/index', () => {
  const cases = [
    ...Object.entries(forms).flatMap(([form, text]) => [
      { form, name: 'index.js', text, type: 'commonjs' },
      { form, name: 'index.js', text, type: 'module' },
      { form, name: 'index.js', text, type: undefined },
    ]),
    ...Object.entries(forms)
      .filter(([, text]) => text.startsWith('export '))
      .map(([form, text]) => ({ form, name: 'index.mjs', text, type: undefined })),
    { form: 'module.exports', name: 'index.cjs', text: forms['module.exports'], type: 'module' },
    { form: 'TypeScript', name: 'index.ts', text: typed, type: undefined },
    { form: 'TypeScript', name: 'index.ts', text: typed, type: 'module' },
  ];

  test.each(cases)('$name with $form is loaded in a package of the type $type', ({ name, text, type }) => {
    write({ 'package.json': JSON.stringify({ type }), [`extensions/${name}`]: text });
    expect(loadExtension()).toEqual(both);
  });

  test('can use top-level await', () => {
    write({ 'extensions/index.mjs': 'const lifecycles = await Promise.resolve({});\nexport { lifecycles };' });
    expect(loadExtension()).toEqual([['lifecycles', 'object']]);
  });

  test('is refused with an unknown member', () => {
    write({ 'extensions/index.js': 'module.exports = { bootstrp() {}, other: 1 };' });
    expect(loadExtension()).toBe(
      'extensions/index.js: unknown member "bootstrp"; did you mean "bootstrap"?\n' +
        'extensions/index.js: unknown member "other"; it can be register, bootstrap, lifecycles, routes, guards, policies, middlewares',
    );
  });

  test.each(['module.exports = () => {};', 'module.exports = [];', 'export default 1;'])('%s is refused', (text) => {
    write({ 'extensions/index.js': text });
    expect(loadExtension()).toMatch(/^extensions\/index\.js must export an object, or register, /);
  });

  test('is refused if there are two files of this name', () => {
    write({ 'extensions/index.js': forms['module.exports'], 'extensions/index.ts': typed });
    expect(loadExtension()).toMatch(/index\.js and .*index\.ts both exist; keep one of them$/);
  });

  test.each([
    ['throws', 'module.exports = {};\n\nthrow new Error("no key");', 'no key (extensions/index.js:3)'],
    [
      'needs a package that is not there',
      '\nrequire("not-there");',
      'the package "not-there" is not installed: run npm install not-there in the project (extensions/index.js:2)',
    ],
  ])('is reported with its line if it %s', (_what, text, reason) => {
    write({ 'extensions/index.js': text });
    expect(loadExtension()).toBe(`extensions/index.js cannot be loaded: ${reason}`);
  });

  test('is reported with its line if it has a syntax error', () => {
    write({ 'extensions/index.js': 'module.exports = {};\nconst = 1;' });
    expect(loadExtension()).toMatch(/^extensions\/index\.js cannot be loaded: .*index\.js:2\b/);
  });
});

describe('in a folder whose name has characters that mean something in a URL', () => {
  const pkg = {
    'node_modules/other/package.json': '{ "name": "other", "type": "module", "exports": "./index.js" }',
    // Compiled by jiti, `arguments` would be those of a function.
    'node_modules/other/index.js': `export const lifecycles = typeof arguments === 'undefined' ? {} : 'compiled';`,
  };
  const source = `import { lifecycles } from 'other';\nexport { lifecycles };\nexport const bootstrap = () => {};`;

  test.each([
    ['#', 'js', 'module'],
    ['#', 'ts', 'module'],
    ['#', 'ts', 'commonjs'],
    ['?a=%41', 'js', 'module'],
    ['100% ü', 'ts', 'module'],
  ])('%s, .%s in a package of the type %s', (name, ending, type) => {
    project = path.join(project, name);
    write({ 'package.json': JSON.stringify({ type }), [`extensions/index.${ending}`]: source, ...pkg });
    expect(new Map(loadExtension() as [string, string][])).toEqual(new Map(both as [string, string][]));
  });

  test('errors are reported with their line', () => {
    project = path.join(project, 'a #b %41 ü');
    write({
      'package.json': '{ "type": "module" }',
      'extensions/index.js': 'export {};\n\nthrow new Error("no key");',
    });
    expect(loadExtension()).toBe('extensions/index.js cannot be loaded: no key (extensions/index.js:3)');
  });
});

describe('config/plugins', () => {
  test.each([
    ['js', 'module.exports = ({ env }) => ({ i18n: env.bool("I18N") });', 'commonjs'],
    ['js', 'module.exports = ({ env }) => ({ i18n: env.bool("I18N") });', 'module'],
    ['js', 'export default ({ env }) => ({ i18n: env.bool("I18N") });', 'commonjs'],
    ['cjs', 'module.exports = async ({ env }) => ({ i18n: env.bool("I18N") });', 'module'],
    ['mjs', 'export default ({ env }) => ({ i18n: env.bool("I18N") });', 'commonjs'],
    ['ts', 'export default ({ env }: { env: any }): object => ({ i18n: env.bool("I18N") });', 'commonjs'],
    ['ts', 'export default { i18n: true as boolean };', 'module'],
  ])('.%s with %s in a package of the type %s', (ending, text, type) => {
    write({ 'package.json': JSON.stringify({ type }), [`config/plugins.${ending}`]: text });
    expect(readPlugins({ I18N: 'true' })).toEqual({ i18n: { enabled: true, config: {} } });
  });

  test('reads variables of .env with env()', () => {
    write({
      '.env': 'MOST=7\n',
      'config/plugins.js': 'module.exports = ({ env }) => ({ a: { config: { most: env.int("MOST") } } });',
    });
    expect(readPlugins()).toEqual({ a: { enabled: true, config: { most: 7 } } });
  });

  test('is reported with its line if it throws', () => {
    write({ 'config/plugins.js': 'module.exports = ({ env }) => ({\n  a: env.json("BROKEN"),\n});' });
    expect(readPlugins({ BROKEN: '{' })).toMatch(
      /^config\/plugins\.js cannot be read: Invalid json environment variable BROKEN: .*\(config\/plugins\.js:2\)$/,
    );
  });
});

test.each([
  ['(SET)', (env) => env('SET'), 'text'],
  ['(UNSET)', (env) => env('UNSET'), undefined],
  ['(UNSET, 7)', (env) => env('UNSET', 7), 7],
  ['(EMPTY, "x")', (env) => env('EMPTY', 'x'), ''],
  ['.int(NUMBER)', (env) => env.int('NUMBER'), 12],
  ['.int(SET)', (env) => env.int('SET'), Number.NaN],
  ['.int(UNSET, 3)', (env) => env.int('UNSET', 3), 3],
  ['.float(NUMBER)', (env) => env.float('NUMBER'), 12.5],
  ['.bool(TRUE)', (env) => env.bool('TRUE'), true],
  ['.bool(SET)', (env) => env.bool('SET', true), false],
  ['.bool(UNSET, true)', (env) => env.bool('UNSET', true), true],
  ['.json(JSON)', (env) => env.json('JSON'), { a: [1] }],
  ['.json(UNSET, 1)', (env) => env.json('UNSET', 1), 1],
  ['.array(LIST)', (env) => env.array('LIST'), ['a', 'b c', 'd']],
  ['.array(BRACKETS)', (env) => env.array('BRACKETS'), ['a', 'b']],
  ['.array(UNSET, [])', (env) => env.array('UNSET', []), []],
  ['.date(DATE)', (env) => env.date('DATE'), new Date('2024-05-01T00:00:00Z')],
  ['.oneOf(SET, [text])', (env) => env.oneOf('SET', ['text']), 'text'],
  ['.oneOf(SET, [a], a)', (env) => env.oneOf('SET', ['a'], 'a'), 'a'],
  ['.oneOf(UNSET, [a])', (env) => env.oneOf('UNSET', ['a']), undefined],
] as [string, (env: ReturnType<typeof createEnv>) => unknown, unknown][])('env%s', (_name, ask, expected) => {
  const environment = {
    SET: 'text',
    EMPTY: '',
    NUMBER: '12.5',
    TRUE: 'true',
    JSON: '{"a":[1]}',
    LIST: 'a, "b c",d',
    BRACKETS: '["a", "b"]',
    DATE: '2024-05-01T00:00:00Z',
  };
  expect(ask(createEnv(environment))).toEqual(expected);
});

test('env.oneOf requires values and a default among them', () => {
  const env = createEnv({});
  expect(() => env.oneOf('A', ['a'], 'b')).toThrow('env.oneOf requires defaultValue to be included in expectedValues');
  expect(() => Reflect.apply(env.oneOf, env, ['A'])).toThrow('env.oneOf requires expectedValues');
});

test('an error is located at the first line of its stack within the folder', () => {
  const error = new Error('broken');
  error.stack =
    'Error: broken\n  at f (/app/node_modules/x/a.js:3:1)\n  at g (file:///app/src/b.js:12:9)\n  at /app/src/c.js:1:1';
  expect(sourceLocation(error, '/app')).toBe('src/b.js:12');
  expect(sourceLocation(error, '/other')).toBeUndefined();
  expect(sourceLocation('text', '/app')).toBeUndefined();
});

test('the reason of a failed load is the first line of the message that is not empty', () => {
  const error = new Error('\nThe binary is missing\n\nPossible solutions: …');
  expect(explainLoading(error, '/no/such/project')).toBe('The binary is missing');
});
