import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { packageFolder } from './package-folder.js';

const load = createRequire(import.meta.url);

/**
 * A package that a start does not need, loaded by the first call. By `require`: should it fail, as where no more files
 * can be opened, the next call tries again, while an `import` that failed once fails for good. For packages that are no
 * ES modules.
 */
export const lazyRequire =
  <T>(name: string): (() => T) =>
  () =>
    load(name) as T;

/**
 * Loads a package on first use, as `lazyRequire`, from the file of its own into which the build puts it: it need not be
 * installed.
 */
export const lazyBundled =
  <T>(name: string): (() => T) =>
  () =>
    load(bundledFile(name) ?? name) as T;

/** The file into which the build puts a package, if it has one of its own, and this code is built. */
export function bundledFile(name: string): string | undefined {
  const file = path.join(packageFolder, 'dist', 'bundled', `${name}.cjs`);
  return fs.existsSync(file) ? file : undefined;
}
