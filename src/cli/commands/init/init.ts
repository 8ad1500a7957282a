import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { installedTarball } from '../../../config/installed-tarball.js';
import { packageFolder } from '../../../config/package-folder.js';
import { readStrapiVersion } from '../../../config/project/strapi-version.js';
import { readVersion } from '../../../config/version.js';
import { quoteForShell } from '../../../errors/quote-for-shell.js';
import { reasonOf } from '../../../errors/reason-of.js';
import { StartError } from '../../../errors/start-error.js';
import { makeDefinition } from '../generate/make-definition.js';
import { EDITOR, type PackageSpecs, scaffold } from './scaffold.js';
import type { ExitCode } from '../../exit-codes.js';
import { withPrompt } from '../../io/with-prompt.js';

interface InitOptions {
  readonly type?: string;
  readonly package?: string;
  readonly yes?: boolean;
}

const DEFAULT_TYPE = 'article';
/** Only the owner of the file may read secrets. */
const SECRET_MODE = 0o600;

/** Writes a new project into a folder that is empty or does not exist. */
export async function init(folder: string, options: InitOptions): Promise<ExitCode> {
  const target = path.resolve(folder);
  if (existsSync(target) && (await readdir(target)).length > 0) throw new StartError(notEmpty(folder, target));
  const type = await typeName(options);
  if (type === undefined) {
    console.error('\nNothing is written.');
    return 130;
  }
  const secret = (): string => randomBytes(24).toString('base64url');
  const name = path
    .basename(target)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const packages = options.package === undefined ? await bringPackages(target) : specsOf([[SERVICE, options.package]]);
  const files = scaffold({ name: name || 'content', type, packages, secret });
  for (const [file, content] of files) {
    const filePath = path.join(target, file);
    await mkdir(path.dirname(filePath), { recursive: true });
    await writeFile(filePath, content, { flag: 'wx', mode: file === '.env' ? SECRET_MODE : 0o644 });
  }
  const place = quoteForShell(folder);
  console.log(`Written: ${files.size} files in ${folder}\n\n  cd ${place}\n  npm install\n  npm test\n  npm run dev`);
  return 0;
}

/** A project of Strapi needs no other around it. */
function notEmpty(folder: string, target: string): string {
  const { major, name } = readStrapiVersion(target);
  const hint = `: it has a project of Strapi ${major} (${name}), which runs as it is: content-service inspect ${folder}`;
  return `${folder} is not empty${name === undefined ? '' : hint}`;
}

const SERVICE = 'content-service';
/** The packages of a new project, in the order of the repository: the service with its editor, and what it needs in development only. */
const PRODUCTION = [SERVICE, EDITOR];
const PACKAGES = [...PRODUCTION, '@content-service/embedded-mongod'];

/**
 * What `package.json` of the project names as the packages. Unless they came from a registry, their tarballs are put into the
 * project, where `npm ci` of a container finds them. Others that are not installed beside this one are left out.
 * @throws StartError if there is no tarball to put there
 */
async function bringPackages(target: string): Promise<PackageSpecs> {
  if (existsSync(path.join(packageFolder, 'src'))) return specsOf(await pack(target, PACKAGES));
  const installed = PACKAGES.flatMap((name) => {
    const file = installedTarball(name);
    if (file === undefined) return [];
    if (existsSync(file)) return [[name, file] as const];
    throw new StartError(
      `${file}, from which the package ${name} was installed, is gone: install it again, or use --package`,
    );
  });
  if (!installed.some(([name]) => name === SERVICE)) return specsOf(PACKAGES.map((name) => [name, readVersion()]));
  await mkdir(target, { recursive: true });
  for (const [, file] of installed) await copyFile(file, path.join(target, path.basename(file)));
  return specsOf(installed.map(([name, file]) => [name, `file:${path.basename(file)}`]));
}

const specsOf = (specs: readonly (readonly [name: string, spec: string])[]): PackageSpecs => ({
  production: Object.fromEntries(specs.filter(([name]) => PRODUCTION.includes(name))),
  development: Object.fromEntries(specs.filter(([name]) => !PRODUCTION.includes(name))),
});

/** Packs packages of this clone, which is built, into a folder; returns the file of each. */
async function pack(target: string, names: readonly string[]): Promise<readonly (readonly [string, string])[]> {
  console.log('Packing this clone for the project…');
  const program = path.join(packageFolder, 'scripts', 'pack.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [program, target, ...names]).catch(
    (error: unknown) => {
      throw new StartError(`This package cannot be packed: ${reasonOf(error)}`);
    },
  );
  // In the order of the repository.
  const files = stdout.trim().split('\n');
  return names.map((name, i) => [name, `file:${files[i] ?? ''}`]);
}

/** The name of the first content type; undefined if the prompt was closed. @throws StartError if it is invalid */
async function typeName({ type, yes = false }: InitOptions): Promise<string | undefined> {
  const name = type ?? (yes || !process.stdin.isTTY ? DEFAULT_TYPE : await promptForType());
  if (name !== undefined) makeDefinition({ kind: 'type', name, attributes: [] });
  return name;
}

const promptForType = (): Promise<string | undefined> =>
  withPrompt({ input: process.stdin, output: process.stderr }, async (question) => {
    const name = await question(`First content type, in the singular [${DEFAULT_TYPE}]: `);
    return name.trim() || DEFAULT_TYPE;
  });
