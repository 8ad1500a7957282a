import { chooseSettings, type Tolerance } from './choose-settings.js';
import type { Config } from './config.js';
import type { Environment } from './parse-variables.js';
import { readOwnFile } from './project/env-file.js';

/**
 * Loads the configuration from environment variables and the project's plugins file. Outside production it generates
 * missing secrets and stores them in the data folder.
 * @param tolerance for who looks at a project and starts nothing; default: each problem is an error
 * @throws StartError with a line for each wrong variable, or for each mistake in the plugins file
 */
export async function loadConfig(
  environment: Environment,
  projectFolder: string,
  tolerance?: Tolerance,
): Promise<Config> {
  return freeze(await chooseSettings(environment, projectFolder, tolerance));
}

/**
 * The configuration of this process, whose environment the file `.env` of the folder it runs in, its project,
 * completes.
 * @param variables that take precedence over the environment
 * @param tolerance see `loadConfig`
 * @throws StartError with a line for each error
 */
export const readConfig = async (variables: Environment = {}, tolerance?: Tolerance): Promise<Config> =>
  loadConfig({ ...readVariables(), ...variables }, process.cwd(), tolerance);

/** The environment of this process, completed by the file `.env` of the folder it runs in. */
export const readVariables = (): Environment => ({ ...readOwnFile(process.cwd(), process.env), ...process.env });

/** The value of `NODE_ENV`, even if the configuration cannot be read. */
export function readEnvironmentName(): string | undefined {
  try {
    return readVariables()['NODE_ENV'];
  } catch {
    return process.env['NODE_ENV'];
  }
}

/** Freezes lists and plain objects, but no other objects of the project's plugins file, e.g. a cache. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
