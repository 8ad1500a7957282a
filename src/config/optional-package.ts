import { createRequire } from 'node:module';
import { StartError } from '../errors/start-error.js';

/** The packages of Content Service that a project installs only if it needs them. */
export type OptionalPackage = 'cdn' | 'editor' | 'embedded-mongod' | 'mcp' | 'strapi5';

const fullName = (name: OptionalPackage): string => `@content-service/${name}`;

/** The command that installs a package. */
export const howToInstall = (name: OptionalPackage): string => `npm install ${fullName(name)}`;

/** Whether a package is installed where this one finds it. */
export function isInstalled(name: OptionalPackage): boolean {
  try {
    createRequire(import.meta.url).resolve(`${fullName(name)}/package.json`);
    return true;
  } catch {
    return false;
  }
}

/**
 * What a package exports.
 * @param need what needs it, as the subject of a sentence
 * @throws StartError with the command that installs it
 */
export async function loadPackage(name: OptionalPackage, need: string): Promise<unknown> {
  if (!isInstalled(name)) throw new StartError(`${need} needs the package ${fullName(name)}: ${howToInstall(name)}`);
  return import(fullName(name));
}
