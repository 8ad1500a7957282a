import type { Registry } from '../../../content-types/model/types.js';
import { describeViolation, type Violation } from '../../../mongo/maintenance/check/violation.js';
import {
  checkDatabase,
  countEntries,
  findUnknownCollections,
} from '../../../mongo/maintenance/check/check-database.js';
import type { Database } from '../../../mongo/connection/database.js';
import { loadProject, withData } from '../../io/project.js';
import { describeCounts, filledOf, sumOf } from '../../io/entry-counts.js';
import { count, counted, createOutput, showProgress } from '../../io/terminal.js';
import { withProgress } from '../../io/progress.js';

/** Breaches that are shown; of the rest only the number. */
const MAX_LISTED = 100;

/** @throws if the data cannot be checked */
export async function checkData({ json }: { readonly json: boolean }): Promise<0 | 1> {
  const { config, registry, check } = await loadProject();
  return withData(config, (database) => report(database, registry, check(database), json));
}

async function report(
  database: Database,
  registry: Registry,
  ofPlugins: AsyncIterable<Violation>,
  json: boolean,
): Promise<0 | 1> {
  const { db, description } = database;
  const { print, result } = createOutput(json);
  let [violations, lacks] = [0, 0];
  const counts = new Map<string, number>();
  const named: Violation[] = [];
  const lacking: string[] = [];
  const pending: Violation[] = [];
  const note = (all: readonly Violation[]): void => {
    pending.push(...all.filter(({ endsAtStart }) => endsAtStart));
    const found = all.filter(({ endsAtStart }) => !endsAtStart);
    const listed = found.slice(0, Math.max(0, MAX_LISTED - violations));
    named.push(...listed);
    if (listed.length > 0) showProgress('');
    for (const violation of listed) print(describeViolation(violation));
    violations += found.length;
  };
  await withProgress('Checked', sumOf(await countEntries(db, registry)), async (advance) => {
    for await (const checked of checkDatabase(db, registry)) {
      counts.set(checked.collection, (counts.get(checked.collection) ?? 0) + checked.entries);
      advance(checked.entries);
      note(checked.violations);
      lacks += checked.lacking.length;
      lacking.push(...checked.lacking.slice(0, Math.max(0, MAX_LISTED - lacking.length)));
    }
  });
  for await (const violation of ofPlugins) note([violation]);
  if (violations > MAX_LISTED) print(`and ${count(violations - MAX_LISTED)} more`);
  for (const violation of pending) print(`Note: ${describeViolation(violation)}`);
  for (const text of lacking) print(`Note: ${text}`);
  if (lacks > MAX_LISTED) print(`and ${counted(lacks - MAX_LISTED, 'more required value')} without a value`);
  const strangers = await findUnknownCollections(db, registry);
  for (const name of strangers) print(`Note: the collection "${name}" belongs to no content type`);
  const types = counted(registry.contentTypes.size, 'content type');
  const broken = violations === 0 ? 'no violations' : counted(violations, 'violation');
  const entries = sumOf(counts);
  print(`${counted(entries, 'entry', 'entries')} of ${types}: ${broken} (${description})`);
  for (const line of describeCounts(counts)) print(line);
  result({
    database: description,
    entries,
    collections: filledOf(counts),
    breaches: violations,
    listed: named.map(fieldsOf),
    pending: pending.map(fieldsOf),
    lacks,
    lacking,
    strangers,
  });
  return violations === 0 ? 0 : 1;
}

const fieldsOf = ({ collection, id, path, rule }: Violation): object => ({ collection, id, path, rule });
