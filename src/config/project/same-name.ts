import fs from 'node:fs';
import path from 'node:path';

const typescript = /\.[cm]?ts$/;

/**
 * Of files of a Strapi project with one name, the one that Strapi loads: TypeScript, which it compiles, if the project
 * has a `tsconfig.json`, otherwise the others. Code precedes JSON.
 * @param folder that of the project
 */
export function chosenOf(files: readonly string[], folder: string): string | undefined {
  const isCompiled = fs.existsSync(path.join(folder, 'tsconfig.json'));
  const rank = (file: string): number => (file.endsWith('.json') ? 2 : typescript.test(file) === isCompiled ? 0 : 1);
  return files.toSorted((file, other) => rank(file) - rank(other))[0];
}

/** A line for files with one name, of which one is loaded; undefined: there is one. */
export function describeChoice(files: readonly string[], folder: string): string | undefined {
  const chosen = chosenOf(files, folder);
  if (chosen === undefined || files.length < 2) return undefined;
  const name = (file: string): string => path.relative(folder, file);
  const others = files.filter((file) => file !== chosen).map(name);
  const reason = typescript.test(chosen) ? ', because the project has a tsconfig.json' : '';
  return `${name(chosen)} is loaded, as by Strapi${reason}, and ${others.join(' and ')} has no effect: remove it`;
}
