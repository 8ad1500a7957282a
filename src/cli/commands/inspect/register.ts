import { jsonOption, type Register } from '../../register.js';

export const registerInspect: Register = (program, finish) => {
  program
    .command('inspect')
    .description("tell what of a Strapi v4 project's code runs, and what is not supported, without starting")
    .argument('[project]', 'the folder of the project; default: CONTENT_TYPES, else this folder')
    .option(...jsonOption, false)
    .action(async (project: string | undefined, options: { readonly json: boolean }) => {
      const { inspect } = await import('./inspect.js');
      finish(await inspect(project, options));
    });
};
