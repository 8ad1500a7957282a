import { jsonOption, type Register } from '../../register.js';
import type { CompareOptions } from './compare.js';

export const registerCompare: Register = (program, finish) => {
  program
    .command('compare')
    .description(
      'send the GET requests of a log to a running Strapi v4 and to this service, and report the differences',
    )
    .requiredOption('--reference <url>', 'the URL of Strapi v4')
    .requiredOption('--requests <file>', 'an access log, a HAR file, or a list of paths')
    .option('--ours <url>', 'the URL of this service', 'http://127.0.0.1:1337')
    .option('--reference-token <token>', 'sent to Strapi as Authorization: Bearer …')
    .option('--token <token>', 'sent to this service; default: the same token')
    .option(...jsonOption, false)
    .action(async (options: CompareOptions) => {
      const { compare } = await import('./compare.js');
      finish(await compare(options));
    });
};
