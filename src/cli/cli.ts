import { Command, CommanderError } from 'commander';
import { readVersion } from '../config/version.js';
import { commandRows, type CommandRow } from './commands.js';
import { describeExitCodes } from './exit-codes.js';

const settings = 'Settings come from environment variables and the file .env in this folder.';

/** Runs a command on the project in this folder. Returns its exit code; undefined while a service runs. */
export async function run(args: readonly string[]): Promise<number | undefined> {
  let exit: number | undefined = 0;
  const program = new Command('content-service')
    .description("A drop-in replacement for Strapi v4's content API on MongoDB, for the content types in this folder.")
    .version(readVersion())
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .addHelpText('afterAll', ({ command }) => `\n${exitCodesOf(command.name())}\n${settings}`);
  for (const row of commandRows) {
    const command = addCommand(program, row);
    const { run, failure = 2 } = row;
    if (run === undefined) continue;
    command.action(async () => {
      try {
        exit = (await Reflect.apply(run, row, [command.processedArgs, command.opts()])) ?? undefined;
      } catch (error) {
        const { describeFailure } = await import('./io/project.js');
        console.error(describeFailure(error));
        exit = failure;
      }
    });
  }
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

/** The exit codes of a command, for its `--help`. */
const exitCodesOf = (name: string): string =>
  describeExitCodes(commandRows.find((row) => row.name === name)?.exitCodes ?? 'most');

function addCommand(program: Command, row: CommandRow): Command {
  const { name, description, required = {}, options = {}, examples, isParsedLater } = row;
  const names = name.split(' ');
  const command = below(program, names.slice(0, -1))
    .command(names.at(-1) ?? '')
    .description(description);
  for (const [flags, text] of Object.entries(row.arguments ?? {})) command.argument(flags, text);
  for (const [flags, text] of Object.entries(required)) command.requiredOption(flags, text);
  for (const [flags, text] of Object.entries(options)) command.option(flags, ...([text].flat() as [string, string]));
  if (examples !== undefined) command.addHelpText('after', examples);
  if (isParsedLater) command.allowUnknownOption().helpOption(false);
  return command;
}

/** The command with these names, one below the other; they come before it in the table. */
const below = (program: Command, names: readonly string[]): Command =>
  names.reduce((above, name) => above.commands.find((one) => one.name() === name) ?? above.command(name), program);
