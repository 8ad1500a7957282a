import path from 'node:path';
import { wrongName } from '../../content-types/model/nearest-name.js';
import { reportTo, type Report } from '../../content-types/load/report.js';
import * as shapes from '../../content-types/model/settings-schema.js';
import { StartError } from '../../errors/start-error.js';
import { readDeclared } from '../../content-types/load/read-options.js';
import { findUrlProblem, parseSecret, readDeclaration, type SecretSource } from '../contract/http/receiver.js';
import { adapters, type Cache, type CacheType } from './adapters.js';

const fileShape = { $schema: shapes.string, caches: shapes.list };
const cacheShape = {
  name: shapes.string,
  type: shapes.string,
  url: shapes.string,
  id: shapes.string,
  header: shapes.string,
  token: shapes.anything,
};

/**
 * Reads `config/cdn.json` of a project; without it nothing is purged.
 * @param folders where it may be
 * @throws StartError with a line for each error
 */
export function readCaches(folders: readonly string[], secrets: SecretSource): readonly Cache[] {
  const name = path.join('config', 'cdn.json');
  const declared = readDeclaration(name, folders);
  return declared === undefined ? [] : parseCaches(name, declared.content, secrets);
}

/** @throws StartError with a line for each error */
export function parseCaches(file: string, content: unknown, secrets: SecretSource): readonly Cache[] {
  const mistakes: string[] = [];
  const report = reportTo(mistakes, file);
  const { caches = [] } = readDeclared(content, fileShape, '', report);
  const parsed = caches.flatMap((cache, index) => parseCache(cache, `caches[${index}]`, secrets, report) ?? []);
  const names = parsed.map(({ name }) => name);
  for (const twice of new Set(names.filter((name, index) => names.indexOf(name) < index))) {
    report('caches', `have the name "${twice}" twice`);
  }
  if (mistakes.length > 0) throw new StartError(mistakes.join('\n'));
  return parsed;
}

const isType = (type: string): type is CacheType => Object.hasOwn(adapters, type);

function parseCache(input: unknown, at: string, secrets: SecretSource, report: Report): Cache | undefined {
  const declared = readDeclared(input, cacheShape, `${at}.`, report);
  const { type = '' } = declared;
  if (!isType(type)) {
    report(`${at}.type`, wrongName(type, 'cache', Object.keys(adapters)));
    return undefined;
  }
  const adapter = adapters[type];
  const { name = type, url = adapter.url ?? '', id = '', header = adapter.header } = declared;
  const token = parseSecret(declared.token, `${at}.token`, secrets, report) ?? '';
  const cache = { name, type, url, id, header, token };
  for (const setting of adapter.needs) {
    if (cache[setting] === '' && declared[setting] === undefined) report(`${at}.${setting}`, `is missing for ${type}`);
  }
  const problem = url === '' ? undefined : findUrlProblem(url);
  if (problem !== undefined) report(`${at}.url`, problem);
  if (!/^[\w-]+$/.test(header)) report(`${at}.header`, 'must be the name of a header');
  return cache;
}
