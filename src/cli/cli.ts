import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { packageFolder } from '../config/package-folder.js';
import { setVariables } from '../config/project/variables.js';
import { commands } from './commands.js';

const { version } = JSON.parse(readFileSync(path.join(packageFolder, 'package.json'), 'utf8')) as {
  readonly version: string;
};

const exitCodes = `
Exit codes: 0 success; 1 some items were refused or are wrong; 2 failure; 130 interrupted by Ctrl+C.
Settings come from environment variables and the file .env in this folder.`;

/** Runs a command on the project in this folder. Returns its exit code; undefined while a service runs. */
export async function run(args: readonly string[]): Promise<number | undefined> {
  let exit: number | undefined = 0;
  let serves = false;
  const program = new Command('content-service')
    .description("A drop-in replacement for Strapi v4's content API on MongoDB, for the content types in this folder.")
    .version(version)
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .addHelpText('afterAll', exitCodes);
  program
    .command('start')
    .description('start the service')
    .option('--port <number>', 'the port to listen on; overrides PORT')
    .option('--data <folder>', 'the folder of the local database and of generated files; overrides DATA_FOLDER')
    .action(async ({ port, data }: { readonly port?: string; readonly data?: string }) => {
      // Workers of CLUSTER inherit them.
      setVariables({ PORT: port, DATA_FOLDER: data });
      await import('../main.js');
    });
  for (const register of commands) {
    register(program, (code) => {
      exit = code;
    });
  }
  program.hook('preAction', (_, command) => {
    serves = ['start', 'dev'].includes(command.name());
  });

  try {
    await program.parseAsync([...args], { from: 'user' });
    return serves ? undefined : exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}
