import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { importsOf, parse } from './source-files.js';

interface Manifest {
  readonly name: string;
  readonly dependencies?: object;
  readonly devDependencies?: object;
  readonly peerDependencies?: object;
  readonly keywords: readonly string[];
  readonly publishConfig: object;
  readonly exports: Readonly<Record<string, unknown>>;
}
const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;

const entries = Object.keys(readManifest('.').exports);
const published = new Set(entries.map((entry) => path.posix.join('content-service', entry)));
const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '';

describe.each(readdirSync('packages').map((name) => `packages/${name}`))('%s', (folder) => {
  const manifest = readManifest(folder);
  const files = readdirSync(path.join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.posix.join(folder, 'src', name.replaceAll(path.sep, '/')));
  const imports = files.flatMap((file) =>
    importsOf(parse(readFileSync(file, 'utf8'), file.endsWith('x'))).map((specifier) => ({ file, specifier })),
  );

  test('has a page, a name of its own, and tests beside it', () => {
    expect(manifest.name).toBe(`@content-service/${path.basename(folder)}`);
    const page = readFileSync(path.join(folder, 'README.md'), 'utf8');
    expect(page.split('\n').length).toBeLessThan(80);
    expect(
      readdirSync(path.join(folder, 'tests'), { recursive: true, encoding: 'utf8' }).some((name) =>
        name.endsWith('.test.ts'),
      ),
    ).toBe(true);
    expect(existsSync(path.join(folder, 'tsconfig.json'))).toBe(true);
  });

  test('can be published: with the licence, and open to all', () => {
    expect(readFileSync(path.join(folder, 'LICENSE'), 'utf8')).toBe(readFileSync('LICENSE', 'utf8'));
    const { keywords, publishConfig } = manifest;
    expect(publishConfig).toEqual({ access: 'public', provenance: true });
    expect(keywords.length).toBeGreaterThan(2);
  });

  test('imports no file outside of its own sources', () => {
    const outside = imports
      .filter(({ specifier }) => specifier.startsWith('.'))
      .filter(
        ({ file, specifier }) => !path.posix.join(path.posix.dirname(file), specifier).startsWith(`${folder}/src/`),
      );
    expect(outside).toEqual([]);
  });

  test('imports packages that it depends on, and of the service only what that publishes', () => {
    const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    // What browsers run is built with all that it needs; some packages are types alone.
    const built = [...installed, ...Object.keys({ ...manifest.devDependencies })].map((name) =>
      name.replace(/^@types\//, ''),
    );
    const foreignImports = imports.filter(({ specifier }) => !specifier.startsWith('.') && !isBuiltin(specifier));
    const undeclared = foreignImports.filter(
      ({ file, specifier }) =>
        !(file.startsWith(`${folder}/src/browser/`) ? built : installed).includes(packageOf(specifier)),
    );
    expect(undeclared).toEqual([]);
    const foreign = foreignImports.map(({ specifier }) => specifier);
    expect(foreign.filter((name) => packageOf(name) === 'content-service' && !published.has(name))).toEqual([]);
  });
});
