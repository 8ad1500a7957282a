import { createRequire } from 'node:module';
import { StartError } from '../errors/start-error.js';

/** A package of Content Service that a project installs only if it needs it. */
interface PackageRow {
  /** Production runs without it. */
  readonly isDevelopment: boolean;
  /** The plugin that is its default export. */
  readonly plugin?: string;
  /** When its plugin runs by being installed; default: never, the plugins file has to name it. */
  readonly runs?: 'always' | 'in development';
}

export const optionalPackages = {
  audit: { isDevelopment: false, plugin: 'audit' },
  cdn: { isDevelopment: false, plugin: 'cdn', runs: 'always' },
  editor: { isDevelopment: false, plugin: 'admin', runs: 'in development' },
  'embedded-mongod': { isDevelopment: true },
  mcp: { isDevelopment: false, plugin: 'mcp', runs: 'in development' },
  strapi5: { isDevelopment: false, plugin: 'strapi5' },
  versions: { isDevelopment: false, plugin: 'versions' },
} as const satisfies Readonly<Record<string, PackageRow>>;

export type OptionalPackage = keyof typeof optionalPackages;

export const optionalNames = Object.keys(optionalPackages) as readonly OptionalPackage[];

/** What is known of a package before it is installed. */
export const rowOf = (name: OptionalPackage): PackageRow => optionalPackages[name];

/** The packages that are plugins, by the names of these. */
export const packagesOfPlugins: ReadonlyMap<string, OptionalPackage> = new Map(
  optionalNames.flatMap((name) => {
    const { plugin } = rowOf(name);
    return plugin === undefined ? [] : [[plugin, name] as const];
  }),
);

/** The name by which npm knows a package. */
export const fullName = (name: OptionalPackage): string => `@content-service/${name}`;

/** The command that installs a package of Content Service: as this service was installed, and in its version. */
export const howToInstall = (name: OptionalPackage): string => `npx content-service add ${name}`;

/** The command that installs a package, by the name of npm. */
export function installs(name: string): string {
  const [, own = ''] = /^@content-service\/(.+)$/.exec(name) ?? [];
  return isOptionalPackage(own) ? howToInstall(own) : `npm install ${name}`;
}

export const isOptionalPackage = (name: string): name is OptionalPackage => Object.hasOwn(optionalPackages, name);

/** Whether a package, by the name of npm, is installed where this one finds it. */
export function isFound(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(`${name}/package.json`);
    return true;
  } catch {
    return false;
  }
}

/** Whether a package of Content Service is installed. */
export const isInstalled = (name: OptionalPackage): boolean => isFound(fullName(name));

/**
 * What a package exports.
 * @param need what needs it, as the subject of a sentence
 * @throws StartError with the command that installs it
 */
export async function loadPackage(name: OptionalPackage, need: string): Promise<unknown> {
  if (!isInstalled(name)) throw new StartError(`${need} needs the package ${fullName(name)}: ${howToInstall(name)}`);
  return import(fullName(name));
}

/**
 * Packages of others that few services need, and whoever needs them installs, in the versions that are tested with this
 * one.
 */
export const versionsOnRequest = {
  '@aws-sdk/client-s3': '3.1169.0',
  '@aws-sdk/lib-storage': '3.1169.0',
  grant: '5.4.24',
  'mongodb-memory-server-core': '11.3.0',
} as const;

type OnRequest = keyof typeof versionsOnRequest;

/**
 * Lets whoever needs packages of others install them.
 * @param need what needs them, as the subject of a sentence with its verb
 * @throws StartError with the command, if one is missing
 */
export function requirePackages(need: string, ...names: readonly OnRequest[]): void {
  if (names.every(isFound)) return;
  const named = names.map((name) => `${name}@${versionsOnRequest[name]}`).join(' ');
  throw new StartError(`${need}: ${installs(named)}`);
}
