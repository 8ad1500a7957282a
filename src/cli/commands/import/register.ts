import { jsonOption, type Register } from '../../register.js';
import { isUnderNpm } from '../../../config/system.js';
import { runUntilSignal } from '../../../server/shutdown-signal.js';
import type { ImportOptions } from './import.js';

export const registerImport: Register = (program, finish) => {
  program
    .command('import')
    .description('restore an archive of export, or import an export of Strapi v4 or the MongoDB of Strapi v3')
    .argument('[archive]', 'the archive, or the folder of a mongodump of Strapi v3')
    .option('--key <password>', 'the password of an encrypted archive')
    .option('--from <uri>', 'the MongoDB of a Strapi v3 project; it is only read')
    .option('--models <folder>', 'the project folder of Strapi v3, which contains the models')
    .option('--accept-differences', 'skip attributes and types that the content types do not have', false)
    .option('--remove-others', 'first remove entries that are not in the archive', false)
    .option(...jsonOption, false)
    .action(async (archive: string | undefined, options: Omit<ImportOptions, 'archive'>) => {
      const { runImport } = await import('./import.js');
      finish(await runUntilSignal(isUnderNpm(), (stopping) => runImport({ archive, ...options }, stopping)));
    });
};
