import { type Register } from '../../register.js';

export const registerTypes: Register = (program, finish) => {
  program
    .command('types')
    .description('write the content types as TypeScript, for content-service/client')
    .option('--out <file>', 'the file to write; default: standard output')
    .action(async ({ out }: { readonly out?: string }) => {
      const { writeTypes } = await import('./types.js');
      finish(await writeTypes(out));
    });
};
