import fs from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../../config/parse-variables.js';
import { filesBelow, isCode } from '../../../strapi/project/find-files.js';
import { withoutComments } from '../../../strapi/project/find-uses.js';

/** A call of `env` without a default, or a variable of the process. */
const uses = /\benv(?:\.(\w+))?\(\s*['"`](\w+)['"`]\s*\)|\bprocess\.env(?:\.(\w+)|\[\s*['"`](\w+)['"`]\s*\])/g;

/** Values that most settings take, by the part of `env` that reads them. */
const values: Readonly<Record<string, string>> = {
  int: '1',
  float: '1',
  bool: 'false',
  json: '{}',
  array: '',
  date: '2020-01-01',
};
const TEXT = 'https://variable.invalid/without-a-value-in-this-inspection';

/** Made-up values of the variables that the settings of a project ask for and that are not set. */
export function inventVariables(folder: string, environment: Environment): ReadonlyMap<string, string> {
  const files = filesBelow(path.join(folder, 'config')).filter((file) => isCode(file) && !file.endsWith('.json'));
  const found = files.flatMap((file) => [...withoutComments(fs.readFileSync(file, 'utf8')).matchAll(uses)]);
  return new Map(
    found.flatMap(([, kind = '', asked, member, key]): (readonly [string, string])[] => {
      const name = asked ?? member ?? key ?? '';
      return environment[name] === undefined ? [[name, values[kind] ?? TEXT]] : [];
    }),
  );
}
