import type { Config } from '../../../config/config.js';
import { isRecord } from '../../../config/record.js';
import { readBeside } from '../../../content-types/load/read-beside.js';
import type { Registry } from '../../../content-types/model/types.js';
import { describeFailure, loadProject, withData } from '../../io/project.js';
import { createOutput, showProgress, type Output } from '../../io/terminal.js';
import { migrateData, type Migrating } from './migrate-data.js';
import { parseDeclared, type Declared } from './parse-declared.js';
import { gatherFindings, type Findings } from './plan.js';
import { nearestName } from '../../../content-types/model/nearest-name.js';
import { unexpectedName } from '../../../mongo/maintenance/unfit/find-unfit.js';
import type { Database } from '../../../mongo/connection/database.js';
import { readDefaultLocale } from '../../../mongo/maintenance/migrate/former-locales.js';
import type { Locale } from '../../../plugins/i18n/locales.js';
import { parseSettings } from '../../../plugins/i18n/settings.js';
import type { ExitCode } from '../../exit-codes.js';

export interface MigrateOptions {
  readonly apply: boolean;
  readonly json: boolean;
}

/**
 * Brings the data of the project in this folder to its content types: `npx content-service migrate`, see
 * docs/migrate.md.
 * @param stopping stops it after the entries that are under way
 */
export async function migrate({ apply, json }: MigrateOptions, stopping: AbortSignal): Promise<ExitCode> {
  try {
    const output = createOutput(json);
    const { config, registry } = await loadProject();
    const declared = await readDeclared(config, registry);
    return await withData(config, async (database) => {
      output.print(`Database: ${database.description}`);
      const locale = await findDefaultLocale(config, database, registry);
      return run({ database, registry, declared, locale, apply, stopping }, output);
    });
  } catch (error) {
    console.error(describeFailure(error));
    return 2;
  }
}

async function run(
  options: Omit<Migrating, 'findings' | 'unfit' | 'problem'>,
  { print, result }: Output,
): Promise<ExitCode> {
  const { apply, stopping } = options;
  const findings = gatherFindings();
  const unfit = gatherFindings();
  let problems = 0;
  const left: string[] = [];
  const problem = (line: string): void => {
    problems += 1;
    showProgress('');
    if (problems > MAX_LISTED) return;
    left.push(line);
    print(line);
  };
  await migrateData({ ...options, findings, unfit, problem });
  for (const line of findings.lines()) print(line);
  const hints = findMisnamed(options.declared, unfit.list());
  if (!unfit.isEmpty) print('Left unchanged, although they do not match the content types:');
  for (const line of [...unfit.lines(), ...hints]) print(line);
  if (problems > MAX_LISTED) print(`and ${problems - MAX_LISTED} more that are left unchanged`);
  if (stopping.aborted) print('Stopped; run the command again to continue');
  else if (findings.isEmpty && unfit.isEmpty) print('The data matches the content types: there is nothing to do');
  else if (findings.isEmpty) print('migrate cannot change any of this');
  else print(apply ? 'Done' : 'Nothing was changed; add --apply to apply this');
  result({
    applied: apply,
    stopped: stopping.aborted,
    found: findings.list(),
    problems,
    left,
    unfit: unfit.list(),
    hints,
  });
  if (stopping.aborted) return 130;
  return problems === 0 ? 0 : 1;
}

/** Problems that are shown; of the rest only the number. */
const MAX_LISTED = 100;

/** The declarations in `migrations.json`, next to the content types. */
async function readDeclared({ folders }: Config, registry: Registry): Promise<Declared> {
  const read = await readBeside(folders, 'migrations');
  if (read === undefined) return { collections: new Map(), attributes: new Map() };
  return parseDeclared(read, registry);
}

/**
 * A line for each former name in `migrations.json` that seems to be misspelt: entries have values under a name like it,
 * which is neither declared there nor an attribute.
 */
function findMisnamed({ attributes }: Declared, unfit: ReturnType<Findings['list']>): readonly string[] {
  const left = unfit.flatMap(({ subject, text }) => {
    const name = unexpectedName(text);
    if (name === undefined) return [];
    const dot = name.lastIndexOf('.');
    // For a component its uid precedes the name.
    return [{ uid: dot < 0 ? subject : name.slice(0, dot), name: name.slice(dot + 1) }];
  });
  return [...attributes].flatMap(([uid, names]) =>
    [...names.keys()].flatMap((former) => {
      const nearest = nearestName(
        former,
        left.filter((entry) => entry.uid === uid).map(({ name }) => name),
      );
      return nearest === undefined
        ? []
        : [`migrations.json: attributes.${uid}.${former}: no entry has this name; did you mean "${nearest}"?`];
    }),
  );
}

/** The default locale of the next start: the declared one, otherwise the stored one. */
async function findDefaultLocale(config: Config, { db }: Database, registry: Registry): Promise<string> {
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
