import type { Registry } from '../../../content-types/model/types.js';
import { describeViolation, type Violation } from '../../../mongo/maintenance/check/violation.js';
import {
  checkDatabase,
  countEntries,
  findUnknownCollections,
} from '../../../mongo/maintenance/check/check-database.js';
import type { Database } from '../../../mongo/connection/database.js';
import { describeFailure, loadProject, withDatabase } from '../../io/project.js';
import { createOutput, showProgress } from '../../io/terminal.js';
import { createProgress } from '../../io/entry-progress.js';

/** Breaches that are shown; of the rest only the number. */
const SHOWN = 100;

/**
 * Checks the data of the project in this folder and prints what it finds.
 * Gives the exit code: 0 no rule is broken, 1 some are, 2 it could not be checked.
 */
export async function checkData({ json }: { readonly json: boolean }): Promise<0 | 1 | 2> {
  try {
    const { config, registry } = await loadProject();
    return await withDatabase(config, (database) => report(database, registry, json));
  } catch (error) {
    console.error(describeFailure(error));
    return 2;
  }
}

async function report({ db, description }: Database, registry: Registry, json: boolean): Promise<0 | 1> {
  const { say, result } = createOutput(json);
  let [entries, breaches, lacks] = [0, 0, 0];
  const named: Violation[] = [];
  const lacking: string[] = [];
  const progress = createProgress('Checked', await countEntries(db, registry));
  try {
    for await (const checked of checkDatabase(db, registry)) {
      entries += checked.entries;
      progress.advance(checked.entries);
      const shown = checked.breaches.slice(0, Math.max(0, SHOWN - breaches));
      named.push(...shown);
      if (shown.length > 0) showProgress('');
      for (const breach of shown) say(describeViolation(breach));
      breaches += checked.breaches.length;
      lacks += checked.lacking.length;
      lacking.push(...checked.lacking.slice(0, Math.max(0, SHOWN - lacking.length)));
    }
  } finally {
    progress.end();
  }
  if (breaches > SHOWN) say(`and ${count(breaches - SHOWN, 'more', 'more')}`);
  for (const text of lacking) say(`Note: ${text}`);
  if (lacks > SHOWN) say(`and ${count(lacks - SHOWN, 'more required value', 'more required values')} without a value`);
  const strangers = await findUnknownCollections(db, registry);
  for (const name of strangers) say(`Note: the collection "${name}" belongs to no content type`);
  const types = count(registry.contentTypes.size, 'content type', 'content types');
  const broken = breaches === 0 ? 'no rule is broken' : count(breaches, 'breach', 'breaches');
  say(`${count(entries, 'entry', 'entries')} of ${types}: ${broken} (${description})`);
  const listed = named.map(({ collection, id, path, rule }) => ({ collection, id, path, rule }));
  result({ database: description, entries, breaches, listed, lacks, lacking, strangers });
  return breaches === 0 ? 0 : 1;
}

const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
