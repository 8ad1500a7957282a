import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { fileBeside } from '../../../config/installed-tarball.js';
import { fullName, optionalNames, optionalPackages, type OptionalPackage } from '../../../config/optional-package.js';
import { packageFolder } from '../../../config/package-folder.js';
import { readStrapiVersion } from '../../../config/project/strapi-version.js';
import { quoteForShell } from '../../../errors/quote-for-shell.js';
import { reasonOf } from '../../../errors/reason-of.js';
import { StartError } from '../../../errors/start-error.js';
import { makeDefinition } from '../generate/make-definition.js';
import { type PackageSpecs, scaffold } from './scaffold.js';
import { packageOf } from '../../io/package-of.js';
import { originOfService, type Origin } from '../../io/origin.js';
import type { ExitCode } from '../../exit-codes.js';
import { withPrompt } from '../../io/with-prompt.js';

interface InitOptions {
  readonly type?: string;
  readonly package?: string;
  readonly with?: string;
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
  const chosen = (options.with ?? '')
    .split(',')
    .filter((name) => name !== '')
    .map(packageOf);
  const packages =
    options.package === undefined
      ? await bringPackages(target, chosen)
      : { production: { 'content-service': options.package }, development: {} };
  const files = scaffold({
    name: name || 'content',
    type,
    packages,
    plugins: chosen.filter((name) => !usual.includes(name)),
    secret,
  });
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

/** What a new project has beside the service, as far as the release does. */
const usual: readonly OptionalPackage[] = ['editor', 'embedded-mongod'];

/**
 * What `package.json` of the project names as the packages. The files of a release are put into the project, where `npm
 * ci` of a container finds them, and `add` those that are not installed yet.
 * @throws StartError if there is no file to put there
 */
async function bringPackages(target: string, chosen: readonly OptionalPackage[]): Promise<PackageSpecs> {
  const origin = await bringFiles(target);
  const isThere = (name: OptionalPackage): boolean =>
    origin.kind === 'file' ? existsSync(path.join(target, fileBeside(origin.place, name))) : origin.kind !== 'git';
  const missing = chosen.find((name) => !isThere(name));
  if (missing !== undefined)
    throw new StartError(`There is no file of ${fullName(missing)} beside that of the service`);
  const valueOf = (name?: OptionalPackage): string => {
    if (origin.kind === 'registry') return origin.version;
    const place = name === undefined ? origin.place : fileBeside(origin.place, name);
    return origin.kind === 'file' ? `file:${place}` : place;
  };
  const valuesOf = (isDevelopment: boolean): Readonly<Record<string, string>> =>
    Object.fromEntries(
      [...new Set([...usual.filter(isThere), ...chosen])]
        .filter((name) => optionalPackages[name].isDevelopment === isDevelopment)
        .map((name) => [fullName(name), valueOf(name)]),
    );
  return { production: { 'content-service': valueOf(), ...valuesOf(false) }, development: valuesOf(true) };
}

/** Puts the files of the release into a project, if there are any; its origin is the name of the service's then. */
async function bringFiles(target: string): Promise<Origin> {
  if (existsSync(path.join(packageFolder, 'src'))) return { kind: 'file', place: await pack(target) };
  const origin = originOfService();
  if (origin.kind !== 'file') return origin;
  const { place } = origin;
  if (!existsSync(place))
    throw new StartError(
      `${place}, from which the package content-service was installed, is gone: install it again, or use --package`,
    );
  await mkdir(target, { recursive: true });
  for (const file of [place, ...optionalNames.map((name) => fileBeside(place, name)).filter((one) => existsSync(one))])
    await copyFile(file, path.join(target, path.basename(file)));
  return { kind: 'file', place: path.basename(place) };
}

/** Packs the packages of this clone, which is built, into a folder; returns the name of the service's file. */
async function pack(target: string): Promise<string> {
  console.log('Packing this clone for the project…');
  const program = path.join(packageFolder, 'scripts', 'pack.mjs');
  const names = ['content-service', ...optionalNames.map(fullName)];
  const { stdout } = await promisify(execFile)(process.execPath, [program, target, ...names]).catch(
    (error: unknown) => {
      throw new StartError(`This package cannot be packed: ${reasonOf(error)}`);
    },
  );
  // Its folder is the first one.
  return stdout.split('\n', 1)[0] ?? '';
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
