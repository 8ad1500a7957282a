import { type Register } from '../../register.js';
import type { TypesOptions } from './types.js';

export const registerTypes: Register = (program, finish) => {
  program
    .command('types')
    .description('write the content types as TypeScript, for content-service/client')
    .option('--out <file>', 'the file to write; default: standard output')
    .option('--client <package>', 'the package that the types are for', 'content-service/client')
    .option('--role <role>', 'what a role of access.json sees and writes; default: everything')
    .option('--url <url>', 'the URL of a running service; default: the project in this folder')
    .option('--token <token>', 'an API token for --url; not needed for a service in development on this machine')
    .action(async (options: TypesOptions) => {
      const { writeTypes } = await import('./types.js');
      finish(await writeTypes(options));
    });
};
