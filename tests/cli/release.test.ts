import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

/** A repository with the scripts of a release, and a build that writes what is packed. */
let project: string;
beforeEach(() => {
  project = fs.mkdtempSync(path.join(os.tmpdir(), 'release-'));
  for (const name of ['release', 'pack', 'packages', 'version'])
    write(`scripts/${name}.mjs`, fs.readFileSync(`scripts/${name}.mjs`, 'utf8'));
  write(
    'scripts/build.mjs',
    `import fs from 'node:fs';
    import { versionOf } from './version.mjs';
    const version = versionOf('.');
    fs.mkdirSync('dist', { recursive: true });
    fs.writeFileSync('dist/version.json', JSON.stringify({ version }));
    fs.writeFileSync('dist/bundled.json', JSON.stringify([{ name: '@koa/router', version: '13.1.1', license: 'MIT' }]));`,
  );
  write('.gitignore', 'dist/\nrelease/\n');
  write('package.json', JSON.stringify({ name: 'content-service', version: '0.2.0-dev', files: ['dist'] }));
  const scripts = { prepare: 'echo' };
  const client = { version: '0.2.0-dev', peerDependencies: { 'content-service': '^0.2.0-dev', react: '19.0.0' } };
  write('packages/client/package.json', JSON.stringify({ name: '@content-service/client', ...client, scripts }));
  const packages = { '': { version: '0.2.0-dev' }, 'packages/client': client };
  write('package-lock.json', JSON.stringify({ name: 'content-service', version: '0.2.0-dev', packages }));
  write('CHANGELOG.md', '# Changelog\n\n## 0.2.0 – not released yet\n\n- New.\n\n## 0.1.0 – 2026-01-01\n\n- Old.\n');
  git('init', '--quiet');
  commit('First');
});
afterEach(() => fs.rmSync(project, { recursive: true }));

function write(name: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
  fs.writeFileSync(path.join(project, name), text);
}
const read = (name: string): string => fs.readFileSync(path.join(project, name), 'utf8');

const identity = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, 'Test'],
    [`GIT_${role}_EMAIL`, 'test@example.org'],
  ]),
);

/** What GitHub tells a workflow of its repository. */
const workflow = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'example/service' };

function run(command: string, ...args: readonly string[]): { output: string; status: number | null } {
  const env = { ...process.env, ...identity, ...workflow };
  const { stdout, stderr, status } = spawnSync(command, args, { cwd: project, env, encoding: 'utf8' });
  return { output: stdout + stderr, status };
}
const git = (...args: readonly string[]): string => run('git', ...args).output.trim();
const release = (...args: readonly string[]) => run(process.execPath, 'scripts/release.mjs', ...args);
const build = (): string => {
  run(process.execPath, 'scripts/build.mjs');
  return (JSON.parse(read('dist/version.json')) as { version: string }).version;
};
function commit(message: string): void {
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
}

test('a build names its commit until it is released', () => {
  const commit = git('rev-parse', 'HEAD');
  expect(build()).toMatch(/^0\.2\.0-dev\.\d{8}\.[\da-f]{7,}$/);
  expect(commit.startsWith(build().split('.').at(-1) ?? '?')).toBe(true);
  write('CHANGELOG.md', 'other');
  expect(build()).toMatch(/\.changed$/);
});

test('a release is a dated section, a version, a tag, and the version that comes next', () => {
  expect(release('0.2.0')).toEqual({ status: 0, output: expect.stringContaining('v0.2.0 is tagged') });
  expect(git('log', '--format=%s')).toBe('Begin 0.3.0\nRelease 0.2.0\nFirst');
  expect(git('show', 'v0.2.0:CHANGELOG.md')).toMatch(/^# Changelog\n\n## 0\.2\.0 – \d{4}-\d\d-\d\d\n\n- New\./);
  expect(read('CHANGELOG.md')).toMatch(/^# Changelog\n\n## 0\.3\.0 – not released yet\n\n## 0\.2\.0 – /);
  expect(git('show', 'v0.2.0:package-lock.json')).toMatch(/"version": ?"0\.2\.0"/);
  expect(read('package.json')).toMatch(/"version": ?"0\.3\.0-dev"/);
  const next = { version: '0.3.0-dev', peerDependencies: { 'content-service': '^0.3.0-dev', react: '19.0.0' } };
  expect(JSON.parse(read('packages/client/package.json'))).toMatchObject(next);
  expect(JSON.parse(read('package-lock.json'))).toMatchObject({ packages: { 'packages/client': next } });

  git('checkout', '--quiet', 'v0.2.0');
  expect(release()).toEqual({ status: 0, output: expect.stringContaining('SHA256SUMS') });
  const files = ['RELEASE.md', 'content-service-0.2.0.tgz', 'content-service-client-0.2.0.tgz', 'sbom.cdx.json'];
  expect(fs.readdirSync(path.join(project, 'release')).toSorted()).toEqual([...files, 'SHA256SUMS'].toSorted());
  const sums = files.map((name) => {
    const content = fs.readFileSync(path.join(project, 'release', name));
    return `${createHash('sha256').update(content).digest('hex')}  ${name}\n`;
  });
  expect(
    read('release/SHA256SUMS')
      .split(/(?<=\n)/)
      .toSorted(),
  ).toEqual(sums.toSorted());
  const packed = run('tar', '-xzOf', 'release/content-service-client-0.2.0.tgz', 'package/package.json');
  expect(JSON.parse(packed.output)).toEqual({
    name: '@content-service/client',
    version: '0.2.0',
    peerDependencies: { 'content-service': '^0.2.0', react: '19.0.0' },
    // Npm refuses the provenance of a package that does not name where it comes from.
    repository: { type: 'git', url: 'git+https://github.com/example/service.git', directory: 'packages/client' },
  });
  expect(read('release/RELEASE.md')).toMatch(/^- New\.\n\n## Install\n/);
  expect(JSON.parse(read('release/sbom.cdx.json'))).toMatchObject({
    bomFormat: 'CycloneDX',
    // What is built into a file is a component, too.
    components: [{ purl: 'pkg:npm/%40koa/router@13.1.1', licenses: [{ expression: 'MIT' }] }],
  });
});

test.each([
  ['a commit without a tag', [], 'has no tag v0.2.0-dev'],
  ['what is no version', ['next'], 'next is no version'],
  ['a version that is lower than the next one', ['0.1.5'], '0.1.5 is lower than 0.2.0'],
])('%s is not released', (_case, args, reason) => {
  expect(release(...args)).toEqual({ status: 1, output: expect.stringContaining(reason) });
  expect(git('log', '--format=%s')).toBe('First');
});

test('changes that are not committed are not released', () => {
  write('more.txt', '');
  expect(release('0.2.0')).toMatchObject({ status: 1, output: expect.stringContaining('Commit your changes') });
});
