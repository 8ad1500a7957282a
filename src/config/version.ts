import fs from 'node:fs';
import path from 'node:path';
import { packageFolder } from './package-folder.js';
import { readJson } from './read-json.js';

/** The version of this build: before a release it names the day and the commit. */
export function readVersion(): string {
  // The package has it in both; in a clone `package.json` has the version that comes next.
  const built = path.join(packageFolder, 'dist', 'version.json');
  const file = fs.existsSync(built) ? built : path.join(packageFolder, 'package.json');
  return (readJson(file) as { readonly version: string }).version;
}
