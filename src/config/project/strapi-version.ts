import fs from 'node:fs';
import path from 'node:path';
import { StartError } from '../../errors/start-error.js';
import { readJson } from '../read-json.js';

/** The version of Strapi that a project is written for. */
export interface StrapiVersion {
  /** Whose API and services its code knows. */
  readonly major: 4 | 5;
  /** As `package.json` names it, e.g. `^5.54.0`; undefined: it does not, as in a project that is not of Strapi. */
  readonly name: string | undefined;
  /** Whether its package of GraphQL is in the dependencies. */
  readonly hasGraphql: boolean;
}

/** Packages whose version is that of the project, the first one decides. */
const GRAPHQL = '@strapi/plugin-graphql';
const packages = ['@strapi/strapi', '@strapi/utils', '@strapi/plugin-users-permissions', GRAPHQL];

const none: StrapiVersion = { major: 4, name: undefined, hasGraphql: false };

/** Names of versions that stand for the newest one. */
const newest: ReadonlySet<string> = new Set(['latest', 'next', 'beta', 'rc', 'experimental', '*', 'x', '']);
const NEWEST = 5;

/**
 * The version of Strapi that the `package.json` of a project names. A project that names none is one of Strapi 4, whose
 * form the service has.
 * @throws StartError for a version that the service does not know, or that nothing tells
 */
export function readStrapiVersion(folder: string): StrapiVersion {
  const file = path.join(folder, 'package.json');
  if (!fs.existsSync(file)) return none;
  const { dependencies, devDependencies } = readJson(file) as Readonly<
    Record<string, Readonly<Record<string, string>>>
  >;
  const ranges = { ...devDependencies, ...dependencies };
  const named = packages.filter((name) => ranges[name] !== undefined);
  const [first] = named;
  if (first === undefined) return none;
  for (const name of named) {
    const version = versionOf(String(ranges[name]), folder, name);
    if (version !== undefined) return { ...version, hasGraphql: dependencies?.[GRAPHQL] !== undefined };
  }
  throw new StartError(
    `package.json: ${first} "${ranges[first]}" does not say which version of Strapi the project is written for: name one of 4 or 5`,
  );
}

function versionOf(range: string, folder: string, name: string): Omit<StrapiVersion, 'hasGraphql'> | undefined {
  const majors = majorsOf(range);
  const [major, ...others] = majors;
  // A range of several, or another place: what is installed runs.
  const installed = major === undefined || others.length > 0 ? installedVersion(folder, name) : undefined;
  const decided = installed === undefined ? major : Number.parseInt(installed, 10);
  if (decided === undefined || (installed === undefined && others.length > 0)) return undefined;
  if (decided === 4 || decided === 5) return { major: decided, name: installed ?? range };
  throw new StartError(
    `package.json: ${name} "${range}" is Strapi ${decided}: the service runs projects of Strapi 4 and 5`,
  );
}

/** The major versions that a range allows, as far as it says so; none: it names a place, or has another form. */
function majorsOf(range: string): readonly number[] {
  const text = range.replace(/^(?:npm:(?:@[^/]+\/)?[^@]+@|workspace:)/, '').trim();
  if (newest.has(text)) return [NEWEST];
  const comparators = text.split(/\s+|\|\|/).filter((part) => part !== '' && !part.startsWith('<'));
  const majors = comparators.flatMap((part) => {
    const [, sign, major] = /^([\^~=v]*|>=?)(\d+)(?:[.x\d+*-].*)?$/i.exec(part) ?? [];
    if (major === undefined) return [];
    // Without a limit, the newest is allowed.
    return sign?.startsWith('>') === true && !text.includes('<') ? [Number(major), NEWEST] : [Number(major)];
  });
  return [...new Set(majors)];
}

/** The version of a package as Node finds it from a folder: there, or above it. */
function installedVersion(folder: string, name: string): string | undefined {
  const file = path.join(folder, 'node_modules', name, 'package.json');
  if (fs.existsSync(file)) return (readJson(file) as { readonly version: string }).version;
  const above = path.dirname(folder);
  return above === folder ? undefined : installedVersion(above, name);
}
