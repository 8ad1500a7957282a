import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

/** A project with a compiler and a bundler that copies, and an npm that installs both and writes down that it ran. */
let project: string;
beforeEach(() => {
  project = fs.mkdtempSync(path.join(os.tmpdir(), 'setup #1 ü %41 a?b-'));
  for (const name of ['setup', 'build', 'bundled-packages', 'packages', 'version']) {
    const script = `scripts/${name}.mjs`;
    write(script, fs.readFileSync(path.join(__dirname, '../../..', script), 'utf8'));
  }
  write('scripts/build-playground.mjs', '');
  write('scripts/build-editor.mjs', '');
  write('scripts/copy-swagger-ui.mjs', '');
  write('scripts/playground/start.js', '');
  write('scripts/conformance/conformance.ts', '');
  write('tsconfig.json', '{}');
  write('package.json', '{ "version": "1.0.0", "license": "MIT" }');
  write('src/main.ts', 'first');
  for (const name of fs.readdirSync('packages')) {
    write(`packages/${name}/src/index.ts`, '');
    write(`packages/${name}/package.json`, fs.readFileSync(`packages/${name}/package.json`, 'utf8'));
  }
  write('packages/client/src/client.ts', '');
  lock({ typescript: { version: '1.0.0', dev: true }, 'for-other-systems': { version: '1.0.0', optional: true } });
  write('fake/npm-cli.js', fakeNpm);
});
afterEach(() => fs.rmSync(project, { recursive: true }));

const fakeNpm = `
  const fs = require('node:fs');
  fs.rmSync('node_modules', { recursive: true, force: true });
  fs.mkdirSync('node_modules/typescript/bin', { recursive: true });
  fs.writeFileSync('node_modules/typescript/bin/tsc', ${JSON.stringify(`
    const fs = require('node:fs');
    if (fs.readFileSync('src/main.ts', 'utf8') === 'wrong') process.exit(2);`)});
  fs.mkdirSync('node_modules/esbuild');
  fs.writeFileSync('node_modules/esbuild/index.js', ${JSON.stringify(`
    exports.build = async ({ absWorkingDir, outbase, outdir }) => {
      process.chdir(absWorkingDir);
      if (outbase !== undefined) require('node:fs').cpSync(outbase, outdir, { recursive: true });
      return { metafile: { outputs: {} } };
    };`)});
  for (const name of ['@graphql-yoga/render-graphiql', 'swagger-ui-dist']) {
    fs.mkdirSync('node_modules/' + name, { recursive: true });
    fs.writeFileSync('node_modules/' + name + '/package.json', JSON.stringify({ name, version: '1.0.0', license: 'MIT' }));
  }
  const { packages } = JSON.parse(fs.readFileSync('package-lock.json'));
  delete packages['node_modules/for-other-systems'];
  fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));
  fs.writeFileSync('npm-arguments', process.argv.slice(2).join(' '));`;

function write(name: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
  fs.writeFileSync(path.join(project, name), text);
}

function lock(packages: Record<string, object>): void {
  const entries = Object.entries(packages).map(([name, entry]) => [`node_modules/${name}`, entry]);
  write('package-lock.json', JSON.stringify({ packages: { '': { name: 'x' }, ...Object.fromEntries(entries) } }));
}

/** Runs the script outside the project folder; returns its output. */
function setup(environment: Record<string, string> = {}, ...nodeOptions: string[]): string {
  const env = { ...process.env, npm_execpath: path.join(project, 'fake/npm-cli.js'), ...environment };
  const args = [...nodeOptions, path.join(project, 'scripts/setup.mjs')];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: os.tmpdir(), env, encoding: 'utf8' });
  // On a busy machine npm takes so long that dots show that it goes on.
  const lines = `${stdout}${stderr}`.replaceAll(/^\.+\n/gm, '');
  return `${lines}${status === 0 ? '' : `exit code ${status}`}`;
}

const install = 'Installing packages (first start)…\n';
const reinstall = 'Installing packages (package-lock.json changed)…\n';
const build = 'Building…\n';

test('a fresh clone is installed and built once', () => {
  expect(setup()).toBe(install + build);
  expect(fs.readFileSync(path.join(project, 'dist/main.ts'), 'utf8')).toBe('first');
  expect(setup()).toBe('');
});

test('a long installation shows that it goes on', () => {
  const output = path.join(project, 'output');
  // This npm takes as long as nothing is shown.
  write(
    'fake/npm-cli.js',
    `${fakeNpm}
    while (!fs.readFileSync(${JSON.stringify(output)}, 'utf8').includes('.')) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }`,
  );
  const file = fs.openSync(output, 'w');
  const env = { ...process.env, npm_execpath: path.join(project, 'fake/npm-cli.js') };
  const { status } = spawnSync(process.execPath, [path.join(project, 'scripts/setup.mjs')], {
    cwd: os.tmpdir(),
    env,
    stdio: ['ignore', file, 'ignore'],
  });
  fs.closeSync(file);
  expect(status).toBe(0);
  expect(fs.readFileSync(output, 'utf8')).toMatch(/^Installing packages \(first start\)…\n\.+\nBuilding…\n$/);
});

test('the service knows when its installation had ended', () => {
  const program = `await import(${JSON.stringify(pathToFileURL(path.join(project, 'scripts/setup.mjs')))});
    console.log(performance.getEntriesByName('set up').length);`;
  const env = { ...process.env, npm_execpath: path.join(project, 'fake/npm-cli.js') };
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { env, encoding: 'utf8' });
  expect(stdout).toBe(`${install}${build}1\n`);
  expect(fs.readFileSync('src/server/serve.ts', 'utf8')).toContain("getEntriesByName('set up')");
});

test('development packages are also installed in production, because the build needs them', () => {
  setup({ NODE_ENV: 'production' });
  expect(fs.readFileSync(path.join(project, 'npm-arguments'), 'utf8')).toContain('--include=dev');
});

test('an installation by npm builds, and installs nothing itself', () => {
  setup();
  fs.rmSync(path.join(project, 'dist'), { recursive: true });
  write('node_modules/.package-lock.json', '{ "packages": {} }');
  expect(setup({ npm_lifecycle_event: 'prepare' })).toBe(build);
  fs.rmSync(path.join(project, 'node_modules'), { recursive: true });
  fs.rmSync(path.join(project, 'dist'), { recursive: true });
  expect(setup({ npm_lifecycle_event: 'prepare' })).toBe('');
});

test('a changed source is rebuilt', () => {
  setup();
  write('src/main.ts', 'second');
  expect(setup()).toBe(build);
  expect(fs.readFileSync(path.join(project, 'dist/main.ts'), 'utf8')).toBe('second');
});

test('a changed source of a package is rebuilt', () => {
  setup();
  write('packages/embedded-mongod/src/index.ts', 'second');
  expect(setup()).toBe(build);
  expect(fs.readFileSync(path.join(project, 'packages/embedded-mongod/dist/index.ts'), 'utf8')).toBe('second');
});

test('packages of the project itself are not installed', () => {
  setup();
  const file = path.join(project, 'package-lock.json');
  const { packages } = JSON.parse(fs.readFileSync(file, 'utf8')) as { readonly packages: object };
  write('package-lock.json', JSON.stringify({ packages: { ...packages, 'packages/client': { version: '2.0.0' } } }));
  expect(setup()).toBe(build);
});

test('output without a source is removed', () => {
  write('src/old.ts', '');
  setup();
  fs.rmSync(path.join(project, 'src/old.ts'));
  expect(setup()).toBe(build);
  expect(fs.existsSync(path.join(project, 'dist/old.ts'))).toBe(false);
});

test('a failed build stops the start, and is retried', () => {
  setup();
  write('src/main.ts', 'wrong');
  const failure = `${build}The build failed; see the messages above.\nexit code 1`;
  expect(setup()).toBe(failure);
  expect(setup()).toBe(failure);
});

test("another version in the lock file is installed, whatever the file's time", () => {
  setup();
  lock({ typescript: { version: '2.0.0', dev: true } });
  fs.utimesSync(path.join(project, 'package-lock.json'), 0, 0);
  expect(setup()).toBe(reinstall + build);
});

test('a lock file with only a newer time installs nothing', () => {
  setup();
  fs.utimesSync(path.join(project, 'package-lock.json'), 4e9, 4e9);
  expect(setup()).toBe(build);
  expect(setup()).toBe('');
});

test('an installation without development packages is sufficient after the build', () => {
  setup();
  write('node_modules/.package-lock.json', '{ "packages": {} }');
  expect(setup()).toBe('');
  expect(setup({ npm_lifecycle_event: 'pretest' })).toBe(reinstall);
});

test('a project without sources, such as an image, is not built', () => {
  setup();
  fs.rmSync(path.join(project, 'src'), { recursive: true });
  expect(setup()).toBe('');
});

test('a failed npm install stops the start', () => {
  write('fake/npm-cli.js', 'process.exit(1)');
  expect(setup()).toBe(`${install}The packages could not be installed; see the messages of npm above.\nexit code 1`);
});

test.each(['18.20.0', '20.18.3'])('Node %s is refused as too old before anything else', (version) => {
  write('fake/version.cjs', `Object.defineProperty(process.versions, 'node', { value: '${version}' });`);
  expect(setup({}, '--require', path.join(project, 'fake/version.cjs'))).toBe(
    `Node 20.19 or newer is needed, this is ${version}: see https://nodejs.org/en/download\nexit code 1`,
  );
});
