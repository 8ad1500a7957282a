import fs from 'node:fs';
import path from 'node:path';
import { isRecord } from '../record.js';
import { readJson } from '../read-json.js';

/**
 * What npm installs beside Strapi 4.26.2, so that code loads it without depending on it, in the major versions of
 * there: of many of them the newest is no longer what `require` expects.
 */
const versionsBesideStrapi: Readonly<Record<string, string>> = {
  axios: '1',
  bcryptjs: '2',
  chalk: '4',
  'date-fns': '2',
  execa: '5',
  'fs-extra': '10',
  got: '11',
  immer: '9',
  inquirer: '8',
  koa: '2',
  'koa-body': '4',
  'node-fetch': '2',
  ora: '5',
  'p-limit': '3',
  'p-map': '4',
  purest: '4',
  slash: '3',
  'url-join': '4',
  uuid: '9',
};

/** What `npm install` gets to install a package for a project: of what it depends on npm knows the version. */
export function packageSpec(name: string, folder: string): string {
  const version = Object.hasOwn(versionsBesideStrapi, name) ? versionsBesideStrapi[name] : undefined;
  return version === undefined || dependsOn(folder, name) ? name : `${name}@${version}`;
}

function dependsOn(folder: string, name: string): boolean {
  const file = path.join(folder, 'package.json');
  const { dependencies } = (fs.existsSync(file) ? readJson(file) : {}) as { readonly dependencies?: unknown };
  return isRecord(dependencies) && Object.hasOwn(dependencies, name);
}
