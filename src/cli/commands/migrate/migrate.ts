import { draftDecisions, migrateData, type DraftDecision, type Migrating } from '../../../app/migrate/migrate-data.js';
import { findDefaultLocale, readMigrations, type Declared } from '../../../app/migrate/read-migrations.js';
import { groupBy } from '../../../config/group-by.js';
import { nearestName } from '../../../errors/nearest-name.js';
import { StartError } from '../../../errors/start-error.js';
import { lackingName, unexpectedName } from '../../../mongo/maintenance/unfit/find-unfit.js';
import type { ExitCode } from '../../exit-codes.js';
import { withProgress } from '../../io/progress.js';
import { loadProject, withData } from '../../io/project.js';
import { counted, createOutput, showProgress, type Output } from '../../io/terminal.js';
import type { Finding } from '../../../plugins/contract/built-in.js';

export interface MigrateOptions {
  readonly apply: boolean;
  /** What becomes of drafts. */
  readonly drafts?: string;
  readonly json: boolean;
}

/** @throws StartError */
function parseDecision(drafts: string | undefined): DraftDecision | undefined {
  const decision = draftDecisions.find((known) => known === drafts);
  if (drafts !== undefined && decision === undefined) {
    throw new StartError(`--drafts must be ${draftDecisions.join(', ')}; it is "${drafts}"`);
  }
  return decision;
}

/** Stopped, it ends after the entries that are under way. */
export async function migrate(
  { apply, drafts: chosen, json }: MigrateOptions,
  stopping: AbortSignal,
): Promise<ExitCode> {
  const output = createOutput(json);
  const drafts = parseDecision(chosen);
  const { config, registry, receiptsOf } = await loadProject();
  const declared = await readMigrations(config, registry);
  return withData(config, async (database) => {
    output.print(`Database: ${database.description}`);
    const locale = await findDefaultLocale(config, database, registry);
    const receipts = receiptsOf('migrate');
    return run({ database, registry, receipts, declared, locale, drafts, apply, stopping }, output);
  });
}

async function run(options: Omit<Migrating, 'problem' | 'withProgress'>, { print, result }: Output): Promise<ExitCode> {
  const { apply, stopping } = options;
  let problems = 0;
  const left: string[] = [];
  const problem = (line: string): void => {
    problems += 1;
    showProgress('');
    if (problems > MAX_LISTED) return;
    left.push(line);
    print(line);
  };
  const { found, unfit } = await migrateData({ ...options, problem, withProgress });
  for (const line of linesOf(found)) print(line);
  const renamed = findRenamed(unfit);
  const misnamed = findMisnamed(options.declared, unfit);
  // A misspelt name in `migrations.json` explains the others.
  const hints = misnamed.length > 0 ? misnamed : [...renamed.probable, ...renamed.possible];
  if (unfit.length > 0) print('Left unchanged, although they do not match the content types:');
  for (const line of [...linesOf(unfit), ...hints]) print(line);
  if (problems > MAX_LISTED) print(`and ${problems - MAX_LISTED} more that are left unchanged`);
  if (stopping.aborted) print('Stopped; run the command again to continue');
  else if (found.length + unfit.length + problems === 0)
    print('The data matches the content types: there is nothing to do');
  else if (found.length === 0)
    print(problems > 0 ? 'Nothing was changed' : 'Nothing was changed: migrate does not know what to do with this');
  else print(apply ? 'Done' : 'Nothing was changed; add --apply to apply this');
  result({ applied: apply, stopped: stopping.aborted, found, problems, left, unfit, hints });
  if (stopping.aborted) return 130;
  return problems === 0 && renamed.probable.length === 0 ? 0 : 1;
}

/** Problems that are shown; of the rest only the number. */
const MAX_LISTED = 100;

/**
 * A line for each former name in `migrations.json` that seems to be misspelt: entries have values under a name like it,
 * which is neither declared there nor an attribute.
 */
function findMisnamed({ attributes }: Declared, unfit: readonly Finding[]): readonly string[] {
  const left = unfit.flatMap(({ subject, text }) => {
    const name = unexpectedName(text);
    return name === undefined ? [] : [placeOf(subject, name)];
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

/**
 * Lines about values under names that are no attributes: an attribute may have a new name, which only `migrations.json`
 * can tell.
 * @returns those that probably do, because one required attribute of the same definition has no value, and all others
 */
function findRenamed(unfit: readonly Finding[]): {
  readonly probable: readonly string[];
  readonly possible: readonly string[];
} {
  const [gone, lacking] = [unexpectedName, lackingName].map((read) =>
    groupBy(
      unfit.flatMap(({ subject, text }) => {
        const name = read(text);
        return name === undefined ? [] : [placeOf(subject, name)];
      }),
      ({ uid }) => uid,
    ),
  );
  const probable: string[] = [];
  const possible: string[] = [];
  for (const [uid, [first, ...more]] of gone ?? []) {
    const [required, ...others] = lacking?.get(uid) ?? [];
    const isOne = more.length === 0 && required !== undefined && others.length === 0;
    const [former = '', present = '<its name now>'] = [first?.name, isOne ? required.name : undefined];
    const declared = JSON.stringify({ attributes: { [uid]: { [former]: present } } });
    if (isOne)
      probable.push(
        `Is ${present} the new name of ${former}? Then write to migrations.json beside the content types: ${declared}`,
      );
    else
      possible.push(
        `If ${former} has another name now, write to migrations.json beside the content types: ${declared}`,
      );
  }
  return { probable, possible };
}

/** The definition of an attribute: for a component its uid precedes the name. */
function placeOf(subject: string, name: string): { readonly uid: string; readonly name: string } {
  const dot = name.lastIndexOf('.');
  return { uid: dot < 0 ? subject : name.slice(0, dot), name: name.slice(dot + 1) };
}

/** The findings as text, by subject. */
const linesOf = (findings: readonly Finding[]): readonly string[] =>
  findings.flatMap(({ subject, text, entries }, index) => {
    const line = `  ${text}${entries > 0 ? `: ${counted(entries, 'entry', 'entries')}` : ''}`;
    return findings[index - 1]?.subject === subject ? [line] : [subject, line];
  });
