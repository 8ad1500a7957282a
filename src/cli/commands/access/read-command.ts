import { Command as Program, CommanderError } from 'commander';
import type { Command, CommandInput } from '../../../plugins/contract/plugin.js';

/** The command of an operator. */
export interface ParsedCommand {
  /** The usage of the command. */
  readonly usage: string;
  readonly input: CommandInput;
  /** The answer as JSON, for programs. */
  readonly json: boolean;
}

/**
 * Parses the arguments of `access`. Errors and help are printed; then it returns the exit code.
 * @param commands of the plugins that are on
 */
export async function readCommand(
  args: readonly string[],
  commands: readonly Command[],
): Promise<ParsedCommand | 0 | 1> {
  let parsed: ParsedCommand | undefined;
  const program = new Program('access')
    .usage('<command> [--json]')
    .description('Manage roles, API tokens and users.')
    .exitOverride()
    .showHelpAfterError()
    .addHelpText('afterAll', '\nExit codes: 0 success; 1 refused; 2 could not start.');
  for (const { usage, description, options = {} } of commands) {
    const command = addCommand(program, usage).description(description).option('--json', 'print JSON');
    for (const [flags, text] of Object.entries(options)) command.option(flags, text);
    command.action(() => {
      const { json, ...otherOptions } =
        command.opts<Record<string, string | readonly string[] | boolean | undefined>>();
      const named = command.registeredArguments.map((argument, index) => [
        argument.name(),
        command.processedArgs[index] as string | readonly string[] | undefined,
      ]);
      parsed = {
        usage,
        input: { ...otherOptions, ...(Object.fromEntries(named) as CommandInput) },
        json: json === true,
      };
    });
  }
  try {
    await program.parseAsync([...args], { from: 'user' });
    return parsed ?? 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    throw error;
  }
}

/** `token create <name>` becomes a command `create <name>` of a command `token`. */
function addCommand(program: Program, usage: string): Program {
  const [, names = '', parameters = ''] = /^((?:[a-z]+ )*[a-z]+)(.*)$/.exec(usage) ?? [];
  const path = names.split(' ');
  const name = path.pop() ?? '';
  const parent = path.reduce(
    (above, word) => above.commands.find((existing) => existing.name() === word) ?? above.command(word),
    program,
  );
  return parent.command(`${name}${parameters}`);
}
