import type { Config } from '../../config/config.js';
import { isRecord } from '../../config/record.js';
import { readBeside } from '../../content-types/load/read-beside.js';
import { suggestion, wrongName } from '../../errors/nearest-name.js';
import { mustBe, readDeclared } from '../../content-types/load/read-options.js';
import { reportTo, type Report } from '../../content-types/load/report.js';
import * as shapes from '../../content-types/model/settings-schema.js';
import type { Component, ContentType, Registry } from '../../content-types/model/types.js';
import { StartError } from '../../errors/start-error.js';
import type { Database } from '../../mongo/connection/database.js';
import { readDefaultLocale } from '../../mongo/maintenance/migrate/former-locales.js';
import type { FormerNames } from '../../mongo/maintenance/migrate/migrate-document.js';
import type { Locale } from '../../plugins/i18n/locales.js';
import { parseSettings } from '../../plugins/i18n/settings.js';

/** Former names, which cannot be inferred from the data. */
export interface Declared {
  /** Former names of collections, with the present ones. */
  readonly collections: ReadonlyMap<string, string>;
  readonly attributes: FormerNames;
}

const fileShape = { $schema: shapes.string, collections: shapes.record, attributes: shapes.record };

/**
 * The declarations in `migrations.json` (see schemas/migrations.schema.json), next to the content types.
 * @throws StartError with a line for each that does not fit the content types
 */
export async function readMigrations({ folders }: Config, { contentTypes, components }: Registry): Promise<Declared> {
  const read = await readBeside(folders, 'migrations');
  if (read === undefined) return { collections: new Map(), attributes: new Map() };
  const { file, content } = read;
  const mistakes: string[] = [];
  const report = reportTo(mistakes, file);
  const parsed = readDeclared(content, fileShape, '', report);
  const collections = new Set([...contentTypes.values()].map(({ collectionName }) => collectionName));
  const schemas = new Map<string, ContentType | Component>([...contentTypes, ...components]);
  const attributes = Object.entries(parsed.attributes ?? {}).flatMap(([uid, former]) => {
    const at = `attributes.${uid}`;
    const schema = schemas.get(uid);
    if (schema === undefined) {
      report(at, `is not a content type or component${suggestion(uid, schemas.keys())}`);
      return [];
    }
    const names = new Set(schema.attributes.keys());
    return [[uid, parseNames(former, { kind: 'attribute', names }, at, report)] as const];
  });
  const ofCollections = { kind: 'collection', names: collections };
  const declared = {
    collections: parseNames(parsed.collections ?? {}, ofCollections, 'collections', report),
    attributes: new Map(attributes),
  };
  if (mistakes.length > 0) throw new StartError(mistakes.join('\n'));
  return declared;
}

/** Former names with present ones. A name in use today cannot be a former one: the two could not be told apart. */
function parseNames(
  declared: unknown,
  { kind, names }: { readonly kind: string; readonly names: ReadonlySet<string> },
  path: string,
  report: Report,
): ReadonlyMap<string, string> {
  if (!isRecord(declared)) {
    report(path, mustBe(declared, shapes.record));
    return new Map();
  }
  return new Map(
    Object.entries(declared).flatMap(([former, current]) => {
      const at = `${path}.${former}`;
      if (names.has(former))
        report(at, `is the name of ${kind === 'attribute' ? 'an' : 'a'} ${kind} today: remove the line`);
      else if (typeof current !== 'string') report(at, mustBe(current, shapes.string));
      else if (!names.has(current)) report(at, wrongName(current, kind, names));
      else return [[former, current] as const];
      return [];
    }),
  );
}

/** The default locale of the next start: the declared one, otherwise the stored one. */
export async function findDefaultLocale(
  config: Pick<Config, 'folders' | 'plugins'>,
  { db }: Database,
  registry: Registry,
): Promise<string> {
  const declared = (await readAccessLocales(config)) ?? parseSettings(config.plugins['i18n']?.config ?? {}) ?? [];
  const chosen = declared.find(({ isDefault }) => isDefault === true);
  if (chosen !== undefined) return chosen.code;
  const type = registry.contentTypes.get('plugin::i18n.locale');
  return (type && (await readDefaultLocale(db, type))) ?? 'en';
}

/** The rest of `access.json` is checked when the service starts. */
async function readAccessLocales({ folders }: Pick<Config, 'folders'>): Promise<readonly Locale[] | undefined> {
  const locales = (await readBeside(folders, 'access'))?.content['locales'];
  if (!Array.isArray(locales) || locales.length === 0) return undefined;
  return locales.filter(isRecord).map(({ code, isDefault }) => ({ code: String(code), isDefault: isDefault === true }));
}
