import { type Register } from '../../register.js';

export const registerAccess: Register = (program, finish) => {
  program
    .command('access')
    .description('list and change roles, API tokens and users; see `access --help`')
    .argument('[args...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (args: readonly string[]) => {
      const { access } = await import('./access.js');
      finish(await access(args));
    });
};
