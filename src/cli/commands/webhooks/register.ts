import { type Register } from '../../register.js';

export const registerWebhooks: Register = (program, finish) => {
  program
    .command('webhooks')
    .description('list, add, test and remove webhooks and look at deliveries; see `webhooks --help`')
    .argument('[args...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (args: readonly string[]) => {
      const { access } = await import('../access/access.js');
      finish(await access(['webhooks', ...args]));
    });
};
