import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { installationFolder } from '../../../config/installed-tarball.js';
import { optionalPackages } from '../../../config/optional-package.js';
import { StartError } from '../../../errors/start-error.js';
import type { ExitCode } from '../../exit-codes.js';
import { packageOf } from '../../io/package-of.js';
import { originOfService, specOf } from '../../io/origin.js';

/**
 * Installs packages of Content Service with npm, in the project that has the service.
 * @throws StartError for a name of none, and where the service is not installed in a project; nothing was changed
 */
export async function add(names: readonly string[]): Promise<ExitCode> {
  const packages = names.map(packageOf);
  const folder = installationFolder();
  if (folder === undefined) throw new StartError('This is a clone of the repository, which has all packages');
  if (!fs.existsSync(path.join(folder, 'package.json')))
    throw new StartError(
      `Install the service in a project, not for all of the machine: ${folder} has no package.json, where npm writes what it installs`,
    );
  const origin = originOfService();
  for (const isDevelopment of [false, true]) {
    const wanted = packages.filter((name) => optionalPackages[name].isDevelopment === isDevelopment);
    if (wanted.length === 0) continue;
    const specs = wanted.map((name) => specOf(origin, name));
    if (origin.kind === 'file') specs.forEach(checkFile);
    const status = await npm(folder, ['install', ...(isDevelopment ? ['--save-dev'] : ['--save']), ...specs]);
    if (status !== 0) return 1;
  }
  return 0;
}

/** @throws StartError if the release is not whole */
function checkFile(file: string): void {
  if (!fs.existsSync(file))
    throw new StartError(`${file} is missing: put this file of the release there, beside that of the service`);
}

/** Runs npm in a folder, with the terminal of this process. */
async function npm(folder: string, args: readonly string[]): Promise<number | null> {
  const child = spawn('npm', args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });
  const [status] = (await once(child, 'exit')) as [number | null];
  return status;
}
