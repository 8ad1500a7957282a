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
  camelcase: '6',
  chalk: '4',
  chokidar: '3',
  commander: '8',
  'cron-parser': '4',
  'date-fns': '2',
  'date-fns-tz': '2',
  execa: '5',
  'form-data': '4',
  formidable: '1',
  'fs-extra': '10',
  fuzzysort: '2',
  got: '11',
  grant: '5',
  'graphql-scalars': '1',
  'graphql-tag': '2',
  'graphql-upload': '13',
  'http-errors': '1',
  immer: '9',
  inquirer: '8',
  joi: '17',
  'jwk-to-pem': '2',
  knex: '2',
  koa: '2',
  'koa-body': '4',
  'koa-bodyparser': '4',
  'koa-compose': '4',
  'koa-compress': '5',
  'koa-helmet': '7',
  'koa-session': '6',
  'koa-static': '5',
  'koa2-ratelimit': '1',
  'lru-cache': '6',
  'markdown-it': '12',
  nanoid: '3',
  'node-fetch': '2',
  'node-schedule': '2',
  open: '8',
  ora: '5',
  'p-limit': '3',
  'p-map': '4',
  'path-to-regexp': '6',
  pluralize: '8',
  purest: '4',
  'sanitize-html': '2',
  semver: '7',
  slash: '3',
  'strip-ansi': '6',
  'url-join': '4',
  uuid: '9',
  winston: '3',
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
