import type { Config } from '../../../config/config.js';
import { readBeside } from '../../../content-types/load/read-beside.js';
import { isRecord } from '../../../content-types/model/settings-schema.js';
import type { Registry } from '../../../content-types/model/types.js';
import type { Database } from '../../../mongo/connection/database.js';
import { readDefaultLocale } from '../../../mongo/maintenance/migrate/former-locales.js';
import type { Locale } from '../../../plugins/i18n/locales.js';
import { parseSettings } from '../../../plugins/i18n/settings.js';

/** The default locale as the next start will have it: as it is declared, else as it is stored. */
export async function findDefaultLocale(config: Config, { db }: Database, registry: Registry): Promise<string> {
  const declared = (await readAccessLocales(config)) ?? parseSettings(config.plugins['i18n']?.config ?? {}) ?? [];
  const chosen = declared.find(({ isDefault }) => isDefault === true);
  if (chosen !== undefined) return chosen.code;
  const type = registry.contentTypes.get('plugin::i18n.locale');
  return (type && (await readDefaultLocale(db, type))) ?? 'en';
}

/** The rest of `access.json` is checked when the service starts. */
async function readAccessLocales({ folders }: Config): Promise<readonly Locale[] | undefined> {
  const locales = (await readBeside(folders.contentTypes, 'access'))?.content['locales'];
  if (!Array.isArray(locales) || locales.length === 0) return undefined;
  return locales.filter(isRecord).map(({ code, isDefault }) => ({ code: String(code), isDefault: isDefault === true }));
}
