import type { Config } from '../../config/config.js';
import { isRecord } from '../../config/record.js';
import { readBeside } from '../../content-types/load/read-beside.js';
import type { Registry } from '../../content-types/model/types.js';
import type { Database } from '../../mongo/connection/database.js';
import { readDefaultLocale } from '../../mongo/maintenance/migrate/former-locales.js';
import type { Locale } from '../../plugins/i18n/locales.js';
import { parseSettings } from '../../plugins/i18n/settings.js';
import { parseDeclared, type Declared } from './parse-declared.js';

/** The declarations in `migrations.json`, next to the content types. @throws StartError if they do not fit the content types */
export async function readDeclared({ folders }: Config, registry: Registry): Promise<Declared> {
  const read = await readBeside(folders, 'migrations');
  if (read === undefined) return { collections: new Map(), attributes: new Map() };
  return parseDeclared(read, registry);
}

/** The default locale of the next start: the declared one, otherwise the stored one. */
export async function findDefaultLocale(config: Config, { db }: Database, registry: Registry): Promise<string> {
  const declared = (await readAccessLocales(config)) ?? parseSettings(config.plugins['i18n']?.config ?? {}) ?? [];
  const chosen = declared.find(({ isDefault }) => isDefault === true);
  if (chosen !== undefined) return chosen.code;
  const type = registry.contentTypes.get('plugin::i18n.locale');
  return (type && (await readDefaultLocale(db, type))) ?? 'en';
}

/** The rest of `access.json` is checked when the service starts. */
async function readAccessLocales({ folders }: Config): Promise<readonly Locale[] | undefined> {
  const locales = (await readBeside(folders, 'access'))?.content['locales'];
  if (!Array.isArray(locales) || locales.length === 0) return undefined;
  return locales.filter(isRecord).map(({ code, isDefault }) => ({ code: String(code), isDefault: isDefault === true }));
}
