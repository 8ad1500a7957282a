import { readConfig } from './config/read-config.js';
import type { Registry } from './content-types/types.js';
import { AppError } from './errors/app-error.js';
import { StartError } from './errors/start-error.js';
import { enabledPlugins, loadRegistry } from './load-registry.js';
import { describeBreach } from './mongo/check/breach.js';
import { checkDatabase, findStrangers } from './mongo/check/check-database.js';
import type { Database } from './mongo/database.js';
import { openDatabase } from './mongo/open-database.js';
import { translateError } from './mongo/translate-error.js';
import { showProgress } from './terminal.js';

/** Breaches that are shown; of the rest only the number. */
const SHOWN = 100;

/**
 * Checks the data of the project in this folder and prints what it finds.
 * Gives the exit code: 0 no rule is broken, 1 some are, 2 it could not be checked.
 */
export async function checkData(): Promise<0 | 1 | 2> {
  try {
    const config = await readConfig();
    const registry = await loadRegistry(config, await enabledPlugins(config));
    const log = { info: () => undefined, error: console.error };
    const database = await openDatabase({ ...config.database, dataFolder: config.folders.data }, log);
    try {
      return await report(database, registry);
    } finally {
      await database.close();
    }
  } catch (error) {
    const known = translateError(error);
    console.error(known instanceof StartError || known instanceof AppError ? known.message : known);
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
