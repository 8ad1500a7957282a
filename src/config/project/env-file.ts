import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'dotenv';
import { StartError } from '../../errors/start-error.js';
import type { Environment } from '../parse-variables.js';
import { variableGroups } from '../variables.js';
import { isStrapiProject } from './is-strapi-project.js';

/**
 * The variables of the file `.env` of the folder that the service runs in. If that is a Strapi v4 project, `ENV_PATH`
 * names another file, as it does there.
 * @throws StartError if `ENV_PATH` names a file that does not exist
 */
export const readOwnFile = (folder: string, variables: Environment): Environment =>
  readEnvFile(folder, isStrapiProject(folder) ? variables : {});

/**
 * Where this process listens, and where its data is: the Strapi project may run beside it with addresses and databases
 * of its own.
 */
const ownNames: ReadonlySet<string> = new Set([
  ...Object.keys(variableGroups['Database and folders']),
  'HOST',
  'PORT',
  'CLUSTER',
]);

/**
 * The variables of the Strapi v4 project that the content types come from, for its code and its `config`, as Strapi
 * reads them.
 * @throws StartError if `ENV_PATH` names a file that does not exist
 */
export const readProjectFile = (folder: string, variables: Environment): Environment =>
  isStrapiProject(folder)
    ? Object.fromEntries(Object.entries(readEnvFile(folder, variables)).filter(([name]) => !ownNames.has(name)))
    : {};

function readEnvFile(folder: string, { ENV_PATH: named }: Environment): Environment {
  const file = path.resolve(folder, named || '.env');
  if (fs.existsSync(file)) return parse(fs.readFileSync(file));
  if (named) throw new StartError(`ENV_PATH names ${named}, and there is no such file in ${folder}`);
  return {};
}
