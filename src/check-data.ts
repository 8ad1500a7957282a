import type { Registry } from './content-types/types.js';
import { describeBreach } from './mongo/check/breach.js';
import { checkDatabase, findStrangers } from './mongo/check/check-database.js';
import type { Database } from './mongo/database.js';
import { describeFailure, loadProject, withDatabase } from './project.js';
import { showProgress } from './terminal.js';

/** Breaches that are shown; of the rest only the number. */
const SHOWN = 100;

/**
 * Checks the data of the project in this folder and prints what it finds.
 * Gives the exit code: 0 no rule is broken, 1 some are, 2 it could not be checked.
 */
export async function checkData(): Promise<0 | 1 | 2> {
  try {
    const { config, registry } = await loadProject();
    return await withDatabase(config, (database) => report(database, registry));
  } catch (error) {
    console.error(describeFailure(error));
    return 2;
  }
}

async function report({ db, description }: Database, registry: Registry): Promise<0 | 1> {
  let [entries, breaches] = [0, 0];
  for await (const checked of checkDatabase(db, registry)) {
    entries += checked.entries;
    showProgress(`${count(entries, 'entry', 'entries')}, in ${checked.collection}`);
    const shown = checked.breaches.slice(0, Math.max(0, SHOWN - breaches));
    if (shown.length > 0) showProgress('');
    for (const breach of shown) console.log(describeBreach(breach));
    breaches += checked.breaches.length;
  }
  showProgress('');
  if (breaches > SHOWN) console.log(`and ${count(breaches - SHOWN, 'more', 'more')}`);
  for (const name of await findStrangers(db, registry)) {
    console.log(`Note: the collection "${name}" belongs to no content type`);
  }
  const types = count(registry.contentTypes.size, 'content type', 'content types');
  const broken = breaches === 0 ? 'no rule is broken' : count(breaches, 'breach', 'breaches');
  console.log(`${count(entries, 'entry', 'entries')} of ${types}: ${broken} (${description})`);
  return breaches === 0 ? 0 : 1;
}

const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
