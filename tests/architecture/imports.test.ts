import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROOT, rowOf, rows } from './layers.js';
import { circlesOf, importsOf, namesBelowSrc, parse, readSourceFiles, staticImportsOf } from './source-files.js';

/** A file and everything that it imports. */
interface ImportingFile {
  /** Below `src/`. */
  readonly name: string;
  readonly text: string;
  /** The imported files below `src/`. */
  readonly files: readonly string[];
  /** The imported packages by their specifiers. */
  readonly packages: readonly string[];
}

const files = readSourceFiles().map(({ name, text }): ImportingFile => {
  const imports = importsOf(parse(text));
  const [relative, packages] = [true, false].map((isRelative) =>
    imports.filter((specifier) => specifier.startsWith('.') === isRelative),
  ) as [string[], string[]];
  const folder = path.posix.dirname(name);
  return { name, text, files: relative.map((file) => path.posix.join(folder, file).replace(/\.js$/, '.ts')), packages };
});

/** The only modules that may import a package. */
const guarded: Readonly<Record<string, readonly string[]>> = {
  ajv: ['documents'],
  mongodb: ['mongo'],
  'mongodb-memory-server-core': ['mongo'],
  bson: ['mongo'],
  dotenv: ['config'],
  jiti: ['config'],
  express: ['rest', 'graphql', 'plugins', 'contract', 'strapi'],
  // Entries and calls are the same through whatever door a request comes.
  'node:http': ['cli', 'server', 'app', 'rest', 'graphql', 'plugins', 'contract', 'strapi', 'config'],
  koa: ['strapi'],
  croner: ['strapi'],
  'koa-compose': ['strapi'],
  '@koa/router': ['strapi'],
  bcrypt: ['documents', 'plugins'],
};

function moduleOf(name: string): string {
  if (name === 'main.ts') return 'main';
  if (name.startsWith('plugins/contract/')) return 'contract';
  return name.includes('/') ? name.replace(/\/.*/, '') : ROOT;
}
const pluginOf = (name: string): string | undefined => /^plugins\/([^/]+)\//.exec(name)?.[1];
const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '';

function isAllowed(from: string, to: string): boolean {
  const [module, other] = [moduleOf(from), moduleOf(to)];
  const [row, below] = [rowOf(module), rowOf(other)];
  if (module === other) return true;
  return rows[row]?.startsWith('(') ? row < below : row <= below;
}

/** All imports between two files, as strings. */
const imports = (accepts: (from: string, to: string) => boolean): readonly string[] =>
  files.flatMap(({ name, files: targets }) =>
    targets.filter((target) => accepts(name, target)).map((target) => `${name} -> ${target}`),
  );

describe('the parser of imports', () => {
  test('reads every file below src', () => {
    const others = namesBelowSrc().filter((name) => !name.endsWith('.ts'));
    expect(others.filter((name) => !/\.json$|\/README\.md$/.test(name))).toEqual([]);
    expect(files.length + others.length).toBe(namesBelowSrc().length);
    expect(files.length).toBeGreaterThan(100);
  });

  test('finds every form of import', () => {
    const text = `
      import './effect.js';
      import value, { type T } from './static.js';
      import type { Type } from './type.js';
      export { one } from './named.js';
      export type { Two } from './named-type.js';
      export * from './all.js';
      const lazy = async () => (await import('./dynamic.js')).value as import('./in-a-type.js').T;
      const old = require('./required.js');
      // import './comment.js';
      const quoted = "import './text.js'";
      await import(computed);
    `;
    expect(importsOf(parse(text))).toEqual([
      './effect.js',
      './static.js',
      './type.js',
      './named.js',
      './named-type.js',
      './all.js',
      './dynamic.js',
      './in-a-type.js',
      './required.js',
    ]);
  });

  test('resolves every relative import to a file', () => {
    const names = new Set(namesBelowSrc());
    expect(imports((_, target) => !names.has(target))).toEqual([]);
  });
});

describe('imports', () => {
  test('start in a module of a declared layer', () => {
    expect(files.map(({ name }) => name).filter((name) => rowOf(moduleOf(name)) < 0)).toEqual([]);
  });

  test('never point upwards, nor between modules of one layer', () => {
    expect(imports((from, to) => !isAllowed(from, to))).toEqual([]);
  });

  test('do not connect plugins', () => {
    const crossing = imports(
      (from, to) =>
        pluginOf(to) !== undefined &&
        pluginOf(to) !== 'contract' &&
        moduleOf(from) === 'plugins' &&
        pluginOf(from) !== pluginOf(to),
    );
    expect(crossing).toEqual([]);
  });

  test('are free of cycles', () => {
    expect(circlesOf(files)).toEqual([]);
  });

  test.each(Object.entries(guarded))('of the package %s are in %j only', (name, modules) => {
    const importers = files.filter(({ packages }) => packages.some((specifier) => packageOf(specifier) === name));
    expect(importers.map((file) => file.name).filter((file) => !modules.includes(moduleOf(file)))).toEqual([]);
  });

  test('that precede the start of the database are few: the driver and the service are loaded while it starts', () => {
    const sources = new Map(readSourceFiles().map(({ name, text }) => [name, text]));
    const loaded = new Set<string>();
    const packages = new Set<string>();
    const load = (name: string): void => {
      if (loaded.has(name)) return;
      loaded.add(name);
      for (const specifier of staticImportsOf(parse(sources.get(name) ?? ''))) {
        if (specifier.startsWith('.'))
          load(path.posix.join(path.posix.dirname(name), specifier).replace(/\.js$/, '.ts'));
        else if (!specifier.startsWith('node:')) packages.add(specifier);
      }
    };
    load('server/run-service.ts');
    expect(loaded).toContain('mongo/connection/open-database.ts');
    expect([...packages]).toEqual(['pino', 'dotenv']);
  });

  test('are not of private graphql modules', () => {
    const importers = files.filter(({ packages }) => packages.some((specifier) => specifier.startsWith('graphql/')));
    expect(importers.map(({ name }) => name)).toEqual([]);
  });

  test('of process.env are in config only', () => {
    const readers = files.filter(({ text }) => /\bprocess\s*(?:\?\.|\.|\[['"])\s*env\b|node:process/.test(text));
    expect(readers.map(({ name }) => name).filter((name) => moduleOf(name) !== 'config')).toEqual([]);
    expect(readers.length).toBeGreaterThan(0);
  });
});
