import { jsonOption, type Register } from '../../register.js';

export const registerInspect: Register = (program, finish) => {
  program
    .command('inspect')
    .description('report which code of a Strapi v4 project runs and which is not supported, without starting it')
    .argument('[project]', 'the folder of the project; default: CONTENT_TYPES, otherwise this folder')
    .option(...jsonOption, false)
    .action(async (project: string | undefined, options: { readonly json: boolean }) => {
      const { inspect } = await import('./inspect.js');
      finish(await inspect(project, options));
    });
};
