import { type Register } from '../../register.js';

export const registerSchedule: Register = (program, finish) => {
  program
    .command('schedule')
    .description('publish and unpublish entries at a time; see `schedule --help`')
    .argument('[args...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (args: readonly string[]) => {
      const { access } = await import('../access/access.js');
      finish(await access(['schedule', ...args]));
    });
};
