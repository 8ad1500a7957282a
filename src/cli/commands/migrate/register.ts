import { jsonOption, type Register } from '../../register.js';
import { isUnderNpm } from '../../../config/system.js';
import { runUntilSignal } from '../../../server/shutdown-signal.js';
import type { MigrateOptions } from './migrate.js';

export const registerMigrate: Register = (program, finish) => {
  program
    .command('migrate')
    .description('migrate the stored data to changed content types; without --apply it only reports the changes')
    .option('--apply', 'change the data', false)
    .option(...jsonOption, false)
    .action(async (options: MigrateOptions) => {
      const { migrate } = await import('./migrate.js');
      finish(await runUntilSignal(isUnderNpm(), (stopping) => migrate(options, stopping)));
    });
};
