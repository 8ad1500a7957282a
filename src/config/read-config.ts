import fs from 'node:fs';
import { parse } from 'dotenv';
import type { Config } from './config.js';
import { loadConfig } from './load-config.js';
import type { Environment } from './parse-variables.js';

/** The process's environment, completed by the file `.env` of the folder it runs in. */
function readEnvironment(): Environment {
  return { ...(fs.existsSync('.env') ? parse(fs.readFileSync('.env')) : {}), ...process.env };
}

/**
 * The configuration of this process; its project is the folder it runs in.
 * @param variables that take precedence over the environment
 * @throws StartError with a line for each error
 */
export const readConfig = (variables: Environment = {}): Promise<Config> =>
  loadConfig({ ...readEnvironment(), ...variables }, process.cwd());
