import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../../config/config.js';
import { packageFolder } from '../../config/package-folder.js';
import { filesBelow } from './find-files.js';

/** Files that say which packages are installed. */
const packageFiles = [
  'package.json',
  'package-lock.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  path.join('node_modules', '.package-lock.json'),
];

/** Files that code and its loading depend on; of others the size and time are enough. */
const text = /\.(?:[cm]?[jt]sx?|json|graphqls?|gql|ya?ml)$/;

type Parts = Pick<Config, 'variables' | 'plugins'> & { readonly environment: string };

/**
 * A hash of what the code of a project depends on: its files, the installed packages, the settings of plugins, the
 * version of the service and of Node, and the environment variables that its files name.
 */
export function fingerprintOf(folder: string, { variables, environment, plugins }: Parts): string {
  const files = [
    ...[path.join(packageFolder, 'package.json'), import.meta.filename].map(read),
    ...packageFiles.map((name) => read(path.join(folder, name))),
    ...['src', 'config'].flatMap((name) => filesBelow(path.join(folder, name))).map(read),
  ];
  const sources = files.join('\n');
  const used = Object.entries(variables).filter(([name]) => sources.includes(name));
  const settings = JSON.stringify([
    process.version,
    environment,
    plugins,
    used.toSorted(([name], [other]) => (name < other ? -1 : 1)),
  ]);
  return createHash('sha256').update(sources).update(settings).digest('hex');
}

function read(file: string): string {
  const state = fs.statSync(file, { throwIfNoEntry: false });
  if (state === undefined) return file;
  return `${file}\n${text.test(file) ? fs.readFileSync(file, 'utf8') : `${state.size} ${state.mtimeMs}`}`;
}
