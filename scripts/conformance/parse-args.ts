import { parseArgs, type ParseArgsConfig } from 'node:util';
import { reasonOf } from '../../src/errors/reason-of.js';
import { StartError } from '../../src/errors/start-error.js';

/** The words of a command line, as `parseArgs` gives them. @throws StartError that says what is wrong, and the usage */
export function parseArguments<const Config extends ParseArgsConfig>(
  config: Config,
  usage?: string,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new StartError([reasonOf(error), ...(usage === undefined ? [] : [usage])].join('\n'));
  }
}
