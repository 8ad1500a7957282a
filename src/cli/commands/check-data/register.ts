import { jsonOption, type Register } from '../../register.js';

export const registerCheckData: Register = (program, finish) => {
  program
    .command('check-data')
    .description('check every storage rule on every entry')
    .option(...jsonOption, false)
    .action(async (options: { readonly json: boolean }) => {
      const { checkData } = await import('./check-data.js');
      finish(await checkData(options));
    });
};
