import { existsSync } from 'node:fs';
import type { DialectConfig } from '../../../config/choose-settings.js';
import { describeSource } from '../../../config/describe-source.js';
import { readDatabaseClient, type NamedDatabase } from '../../../config/project/database-client.js';
import { isRecord } from '../../../config/record.js';
import type { DialectChoice } from '../../../content-types/model/dialects.js';
import { StartError } from '../../../errors/start-error.js';
import { loadProject, withData } from '../../io/project.js';
import { describeCounts, filledOf } from '../../io/entry-counts.js';
import { count, counted, createOutput } from '../../io/terminal.js';
import type { Database } from '../../../mongo/connection/database.js';
import { countServing } from '../../../mongo/coordination/serving.js';
import { describeRules } from '../../../mongo/stored/dialect.js';
import { createReporter } from '../seed/reporter.js';
import { importBackup } from './backup/import-backup.js';
import { openBackup } from './backup/open-backup.js';
import { importSource, type Imported, type Importing } from './import-source.js';
import { openLiveStrapiV3, openStrapiV3 } from './strapi-v3/open-strapi-v3.js';
import { openUploads } from './read/open-uploads.js';
import { USER_SETTINGS, type Source } from './source.js';
import { openStrapi } from './strapi/open-strapi.js';
import type { ExitCode } from '../../exit-codes.js';

export interface ImportOptions {
  /** An archive, or a dump of Strapi v3; either this or `from`. */
  readonly archive: string | undefined;
  readonly from?: string;
  readonly key?: string;
  readonly models?: string;
  readonly acceptDifferences: boolean;
  readonly removeOthers: boolean;
  /** Plugins whose entries in an archive are left out, separated by commas. */
  readonly without?: string;
  readonly json: boolean;
}

/** Stopped, it ends after the entries that are under way. */
export async function runImport(
  { archive, from, key, models, json, ...options }: ImportOptions,
  stopping: AbortSignal,
): Promise<ExitCode> {
  const { print, result } = createOutput(json);
  const source = await openAny({ archive, from, key, models });
  const { config, registry, plugins, receiptsOf } = await loadProject();
  return withData(config, async (database) => {
    print(`Database: ${database.description}`);
    for (const line of await warnOfServices(database)) print(line);
    const { folders, environment, variables, dialect } = config;
    const { choice } = registry.dialect;
    print(`Values get the rules of ${describeRules(registry.dialect, describeSource(dialect))}`);
    if (source.hasSqlRules) {
      const named = await readDatabaseClient([folders.contentTypes, folders.project], environment, variables);
      for (const line of hintAtRules(dialect.source, choice, named)) print(line);
    }
    print(`Importing ${source.description}, ${count(source.size)} ${source.unit}`);
    const uploads = await openUploads(config, database);
    const reporter = createReporter(source.work, print);
    try {
      const imported = await source.run({
        registry,
        plugins,
        database,
        receipts: receiptsOf('import'),
        uploads,
        ...options,
        reporter,
        print,
        stopping,
      });
      const { stored, known } = reporter.finish(
        stopping.aborted ? 'Stopped; run the command again to continue' : 'Done',
      );
      const { files, skipped, entries } = imported;
      if (entries !== undefined) for (const line of describeCounts(entries)) print(line);
      if (files > 0) print(`${counted(files, 'file')} stored`);
      const notes = [...skipped.lines(), ...describeSettings(imported.settings)];
      for (const line of notes) print(line);
      const collections = entries && filledOf(entries);
      result({ stopped: stopping.aborted, stored, known, collections, files, lost: skipped.lost, notes });
      if (stopping.aborted) return 130;
      return skipped.lost === 0 ? 0 : 1;
    } catch (error) {
      reporter.finish('Failed');
      throw error;
    }
  });
}

/** An import beside a service works, but the two may write the same entries. */
async function warnOfServices({ db, exclusive }: Database): Promise<readonly string[]> {
  const serving = exclusive ? 0 : await countServing(db);
  if (serving === 0) return [];
  const processes = serving === 1 ? '1 process of the service uses' : `${serving} processes of the service use`;
  return [
    `Warning: ${processes} this database. Stop the service first: its writes during the import can be overwritten or removed`,
  ];
}

/**
 * What is imported, and the work that it takes in its unit.
 * @throws StartError unless there is one source, of a known format
 */
export async function openAny({ archive, from, key, models }: Origin) {
  if (archive === undefined ? from === undefined : from !== undefined) {
    throw new StartError('Specify one archive or dump, or the MongoDB of a Strapi v3 project with --from');
  }
  const backup = archive === undefined ? undefined : await openBackup(archive);
  if (backup !== undefined) {
    const { description, size } = backup;
    const run = (importing: Importing): Promise<Imported> => importBackup(backup, importing);
    // It is read twice, to scan it and to write. Then all stored data is checked.
    return { description, size, unit: 'bytes', hasSqlRules: false, work: 3 * size, run };
  }
  const source =
    archive === undefined ? await openLiveStrapiV3(from ?? '', models) : await openSource(archive, { key, models });
  return { ...source, work: 2 * source.size, run: (importing: Importing) => importSource(source, importing) };
}

type Origin = { readonly [Name in 'archive' | 'from' | 'key' | 'models']: string | undefined };

/** Strapi's default user settings, and the names of the settings here. */
const advanced: Readonly<Record<string, { readonly defaultValue: unknown; readonly setting: string }>> = {
  allow_register: { defaultValue: true, setting: 'allowRegister' },
  unique_email: { defaultValue: true, setting: 'uniqueEmail' },
  email_confirmation: { defaultValue: false, setting: 'emailConfirmation' },
  email_reset_password: { defaultValue: null, setting: 'resetPasswordUrl' },
  email_confirmation_redirection: { defaultValue: null, setting: 'emailConfirmationRedirection' },
  default_role: { defaultValue: 'authenticated', setting: 'defaultRole' },
};

/** A line for each setting of Strapi's admin panel that belongs in the plugins file. */
function describeSettings(settings: ReadonlyMap<string, unknown>): readonly string[] {
  const users = settings.get(USER_SETTINGS);
  if (!isRecord(users)) return [];
  const lines = Object.entries(advanced).flatMap(([name, { defaultValue, setting }]) => {
    const value = users[name] ?? defaultValue;
    return value === defaultValue ? [] : [`  users-permissions: ${setting} was ${JSON.stringify(value)}`];
  });
  return lines.length === 0 ? [] : ['Settings to declare in config/plugins:', ...lines];
}

/**
 * @param models the folder of a project of Strapi v3
 * @throws StartError if it does not exist, cannot be read, or has an unknown format
 */
export async function openSource(
  address: string,
  { key, models }: { readonly key: string | undefined; readonly models?: string | undefined },
): Promise<Source> {
  if (!existsSync(address)) throw new StartError(`${address} does not exist`);
  const source = (await openStrapi(address, key)) ?? (await openStrapiV3(address, models));
  if (source !== undefined) return source;
  throw new StartError(
    `${address} cannot be imported; supported: an archive of npx content-service export; an archive of strapi export (.tar, .tar.gz, .enc), or the folder that it is unpacked in; the folder of a mongodump of Strapi v3`,
  );
}

/**
 * A line if values of Strapi may have had the rules of another database. What is set explicitly is not put into doubt
 * by a guess.
 * @param named the database that `config/database` of the project names
 */
export function hintAtRules(
  source: DialectConfig['source'],
  choice: DialectChoice,
  named: NamedDatabase | undefined,
): readonly string[] {
  if (source === 'default') {
    return [
      'Hint: if they come from Strapi on PostgreSQL or MySQL, set STRAPI_DATABASE=postgres or mysql before you import them',
    ];
  }
  if (named === undefined || named.unsetVariable !== undefined || named.database === choice.database) return [];
  return [`config/database names ${named.database}; ${source} is set to ${choice.database}, and counts`];
}
