import fs from 'node:fs';
import { parse } from 'dotenv';
import type { Config } from './config.js';
import { loadConfig } from './load-config.js';
import type { Environment } from './parse-variables.js';

/**
 * The configuration of this process, whose environment the file `.env` of the folder it runs in, its project, completes.
 * @param variables that take precedence over the environment
 * @throws StartError with a line for each error
 */
export async function readConfig(variables: Environment = {}): Promise<Config> {
  const stored = fs.existsSync('.env') ? parse(fs.readFileSync('.env')) : {};
  return loadConfig({ ...stored, ...process.env, ...variables }, process.cwd());
}
