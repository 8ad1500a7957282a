import { jsonOption, type Register } from '../../register.js';
import { isUnderNpm } from '../../../config/system.js';
import { runUntilSignal } from '../../../server/shutdown-signal.js';

export const registerExport: Register = (program, finish) => {
  program
    .command('export')
    .description('write all data to an archive that import reads; a running service keeps running')
    .argument('[file]', 'default: export-<time>.tar.gz in this folder')
    .option(...jsonOption, false)
    .action(async (file: string | undefined, { json }: { readonly json: boolean }) => {
      const { runExport } = await import('./export.js');
      finish(await runUntilSignal(isUnderNpm(), (stopping) => runExport({ file, json }, stopping)));
    });
};
