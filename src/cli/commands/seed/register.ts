import { jsonOption, type Register } from '../../register.js';
import { isUnderNpm } from '../../../config/system.js';
import { runUntilSignal } from '../../../server/shutdown-signal.js';
import type { SeedOptions } from './seed.js';

export const registerSeed: Register = (program, finish) => {
  program
    .command('seed')
    .description('create entries from a file, an image or a folder')
    .argument('<place>', 'a .json or .ndjson file, an image, or a folder of these')
    .option('--reset', 'first delete all entries of the types that the files name', false)
    .option('--yes', 'do not ask before deleting', false)
    .option(...jsonOption, false)
    .action(async (location: string, options: Omit<SeedOptions, 'location'>) => {
      const { seed } = await import('./seed.js');
      finish(await runUntilSignal(isUnderNpm(), (stopping) => seed({ location, ...options }, stopping)));
    });
};
