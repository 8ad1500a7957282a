import { type Register } from '../../register.js';

export const registerTypes: Register = (program, finish) => {
  program
    .command('types')
    .description('write the content types as TypeScript, for content-service/client')
    .option('--out <file>', 'the file to write; default: standard output')
    .option('--client <package>', 'the package that the types are for', 'content-service/client')
    .action(async ({ out, client }: { readonly out?: string; readonly client: string }) => {
      const { writeTypes } = await import('./types.js');
      finish(await writeTypes(out, client));
    });
};
