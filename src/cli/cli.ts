import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { packageFolder } from '../config/package-folder.js';
import { addCommands, exitCodesOf } from './commands.js';

const { version } = JSON.parse(readFileSync(path.join(packageFolder, 'package.json'), 'utf8')) as {
  readonly version: string;
};

const settings = 'Settings come from environment variables and the file .env in this folder.';

/** Runs a command on the project in this folder. Returns its exit code; undefined while a service runs. */
export async function run(args: readonly string[]): Promise<number | undefined> {
  let exit: number | undefined = 0;
  const program = new Command('content-service')
    .description("A drop-in replacement for Strapi v4's content API on MongoDB, for the content types in this folder.")
    .version(version)
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .addHelpText('afterAll', ({ command }) => `\n${exitCodesOf(command.name())}\n${settings}`);
  addCommands(program, (code) => {
    exit = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}
