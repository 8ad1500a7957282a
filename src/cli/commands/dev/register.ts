import { type Register } from '../../register.js';

export const registerDev: Register = (program) => {
  program
    .command('dev')
    .description('start the service, and restart it when content types, config/ or extensions/ change')
    .action(async () => {
      const { develop } = await import('./dev.js');
      await develop();
    });
};
