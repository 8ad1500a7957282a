import path from 'node:path';
import { isRecord, readDeclaration, rules, type Declaration, type ServiceSettings } from 'content-service/plugin';
import { adapters, type Cache, type CacheType } from './adapters.js';

const fileRules = { $schema: rules.string, caches: rules.list };
const cacheRules = {
  name: rules.string,
  type: rules.oneOf(...(Object.keys(adapters) as CacheType[])),
  url: rules.string,
  id: rules.string,
  header: rules.string,
  token: rules.anything,
};

/**
 * Reads `config/cdn.json` of a project; without it there are no caches.
 * @throws StartError with a line for each error
 */
export const readCaches = (
  settings: Pick<ServiceSettings, 'folders' | 'variables' | 'environment'>,
): readonly Cache[] => readDeclaration(path.join('config', 'cdn.json'), settings, parseCaches) ?? [];

function parseCaches(declaration: Declaration): readonly Cache[] {
  const { content, read, report } = declaration;
  const { caches = [] } = read(content, fileRules);
  const parsed = caches.flatMap((cache, index) => parseCache(cache, `caches[${index}]`, declaration) ?? []);
  const names = parsed.map(({ name }) => name);
  for (const twice of new Set(names.filter((name, index) => names.indexOf(name) < index))) {
    report('caches', `have the name "${twice}" twice`);
  }
  return parsed;
}

function parseCache(input: unknown, at: string, { read, report, secret, isReached }: Declaration): Cache | undefined {
  const declared = read(input, cacheRules, `${at}.`);
  const { type } = declared;
  if (type === undefined) {
    if (!isRecord(input) || input['type'] === undefined) report(`${at}.type`, `must be ${cacheRules.type.expected}`);
    return undefined;
  }
  const adapter = adapters[type];
  const { name = type, url = adapter.url ?? '', id = '', header = adapter.header } = declared;
  const token = secret(declared.token, `${at}.token`) ?? '';
  const cache = { name, type, url, id, header, token, isReached: isReached(url) };
  for (const setting of adapter.needs) {
    if (cache[setting] === '' && declared[setting] === undefined) report(`${at}.${setting}`, `is missing for ${type}`);
  }
  if (url !== '' && !isAddress(url)) report(`${at}.url`, 'must begin with https:// or http://, without a password');
  if (!/^[\w-]+$/.test(header)) report(`${at}.header`, 'must be the name of a header');
  return cache;
}

function isAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
