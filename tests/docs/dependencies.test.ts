import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import semver from 'semver';
import { versionsOnRequest } from '../../src/config/optional-package.js';

type Names = Readonly<Record<string, string>>;
interface Manifest {
  readonly version: string;
  readonly dependencies?: Names;
  readonly optionalDependencies?: Names;
  readonly peerDependencies?: Names;
  readonly devDependencies?: Names;
  readonly engines: { readonly node: string };
}
const readManifest = (folder: string): Manifest =>
  JSON.parse(fs.readFileSync(`${folder}/package.json`, 'utf8')) as Manifest;
const manifests = ['.', ...fs.readdirSync('packages').map((name) => `packages/${name}`)].map(readManifest);
const [{ engines, version: ownVersion } = readManifest('.')] = manifests;
const all = manifests.flatMap(({ dependencies, optionalDependencies, peerDependencies, devDependencies }) =>
  Object.entries({ ...dependencies, ...optionalDependencies, ...peerDependencies, ...devDependencies }),
);
const isOwn = (name: string): boolean => name === 'content-service' || name.startsWith('@content-service/');
const page = fs.readFileSync('docs/internals/dependencies.md', 'utf8');

/** The names in the tables of the page: a row has one package, or several with one reason. */
const described = [...page.matchAll(/^\| (?<names>`[^|]+`) +\| \S.*\S +\|$/gm)].flatMap(({ groups }) =>
  [...(groups?.['names'] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
);

test('every dependency is described with its reason, and no other', () => {
  const names = all.map(([name]) => name).filter((name) => !isOwn(name));
  // All packages of types have the same reason, and one row.
  const expected = new Set(names.map((name) => (name.startsWith('@types/') ? '@types/*' : name)));
  expect(described.toSorted()).toEqual([...expected].toSorted());
});

test('what is built imports each package that is installed with it, and no other', () => {
  const imported =
    /(?:^import (?:[^"\n]* from )?|\bimport\(|createRequire\d*\(import\.meta\.url\)\(|lazyRequire\()"([^".][^"]*)"/gm;
  const built = fs
    .readdirSync('dist', { recursive: true, encoding: 'utf8' })
    .filter((name) => /^[^.].*\.js$/.test(name) && !/^(?:playground|swagger)/.test(name));
  const names = built.flatMap((name) =>
    [...fs.readFileSync(path.join('dist', name), 'utf8').matchAll(imported)].map(([, specifier = '']) => specifier),
  );
  const used = names
    .filter((name) => !isBuiltin(name))
    .map((name) => (/^(?:@[^/]+\/)?[^/]+/.exec(name) ?? [''])[0])
    // By the path of its file, see load-module.ts.
    .concat('jiti');
  const { dependencies, optionalDependencies } = readManifest('.');
  const installed = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...Object.keys(versionsOnRequest)];
  expect([...new Set(used)].filter((name) => !isOwn(name)).toSorted()).toEqual(installed.toSorted());
});

test('what is asked for by name is tested in the version that the message names', () => {
  expect(readManifest('.').devDependencies).toMatchObject(versionsOnRequest);
});

test('an installation for production is small, and npm finds no reason to keep what is for development', () => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/weigh-install.mjs'], { encoding: 'utf8' });
  expect(status).toBe(0);
  const [, count] = /^(\d+) packages, /.exec(stdout) ?? [];
  expect(Number(count)).toBeGreaterThan(50);
  expect(Number(count)).toBeLessThanOrEqual(150);
  // An optional peer is kept by `npm ci --omit=dev`, also where it is a development dependency of the project.
  expect(readManifest('.').peerDependencies).toBeUndefined();
});

test('every dependency has one exact version', () => {
  const versions = all.filter(([name]) => !isOwn(name)).map(([, version]) => version);
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
});

test('the packages of this repository have one version, and name each other by it', () => {
  const versions = [
    ...manifests.map(({ version }) => version),
    ...all.filter(([name]) => isOwn(name)).map(([, version]) => version.replace(/^\^/, '')),
  ];
  expect(new Set(versions)).toEqual(new Set([ownVersion]));
});

interface Locked {
  readonly version: string;
  readonly dev?: boolean;
  /** Only on these systems: elsewhere npm leaves the package out. */
  readonly os?: readonly string[];
  readonly engines?: { readonly node?: string };
}
const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const inProduction = Object.entries(packages).filter(([path, { dev, os }]) => path !== '' && dev !== true && !os);

test.each(['20.19.0', '22.0.0', '24.0.0', '26.0.0'])('every package in production allows Node %s', (node) => {
  expect(semver.satisfies(node, engines.node)).toBe(true);
  const refusing = inProduction.filter(([, { engines }]) => !semver.satisfies(node, engines?.node ?? '*'));
  expect(refusing.map(([path, { version, engines }]) => `${path} ${version} needs ${engines?.node}`)).toEqual([]);
});

test.each(['README.md', 'docs/quick-start.md', 'CONTRIBUTING.md'])('%s names the oldest Node', (file) => {
  const named = [...fs.readFileSync(file, 'utf8').matchAll(/(\d+\.\d+) or (?:newer|later)/g)].map(
    ([, version]) => version,
  );
  expect(named).toEqual([/\d+\.\d+/.exec(engines.node)?.[0]]);
});

test('the check finds packages that an older Node refuses', () => {
  expect(inProduction.filter(([, { engines }]) => engines?.node !== undefined).length).toBeGreaterThan(50);
  expect(semver.satisfies('20.18.3', engines.node)).toBe(false);
});

test('what is built in has the text of its license in the package', () => {
  for (const folder of ['dist', 'packages/editor/dist/browser', 'packages/mcp/dist']) {
    const rows = JSON.parse(fs.readFileSync(path.join(folder, 'bundled.json'), 'utf8')) as readonly {
      readonly name: string;
      readonly version: string;
      readonly license: string;
    }[];
    expect(rows.length).toBeGreaterThan(0);
    const chapters = fs.readFileSync(path.join(folder, 'BUNDLED-LICENSES.txt'), 'utf8').split(/^-{80}$/m);
    expect(chapters.map((text) => text.trim().split('\n', 1)[0])).toEqual(
      rows.map(({ name, version, license }) => `${name} ${version} (${license})`),
    );
    expect(rows.filter(({ license }) => typeof license !== 'string')).toEqual([]);
  }
});
