import { pipeline } from 'node:stream/promises';
import { styleText } from 'node:util';
import { Command as Program, CommanderError } from 'commander';
import type { Service } from '../../../app/app.js';
import { readConfig } from '../../../config/load-config.js';
import { AppError } from '../../../errors/app-error.js';
import { enabledPlugins } from '../../../app/load-registry.js';
import { openDatabase } from '../../../mongo/connection/open-database.js';
import { describeExitCodes, type ExitCode } from '../../exit-codes.js';
import { commandLog } from '../../io/command-log.js';
import { describeFailure } from '../../io/project.js';
import { startService } from '../../../server/start-service.js';
import type { Command, CommandInput } from '../../../plugins/contract/plugin.js';

/**
 * Runs `npx content-service access` on the project of this folder. The result goes to stdout,
 * all else to stderr.
 * @param name of the program in messages
 * @throws StartError if the service cannot be opened
 */
export async function access(args: readonly string[], name: string): Promise<ExitCode> {
  const config = await readConfig();
  const described = (await enabledPlugins(config)).flatMap((plugin) => plugin.commands ?? []);
  const command = await readCommand(args, described, name);
  if (typeof command === 'number') return command;
  const opening = openDatabase({ ...config.database, beside: true }, log);
  // Applying access.json would undo the effect of the previous command.
  const service = await startService(config, opening, log, { bootstrap: false, applyDeclared: false });
  try {
    console.error(`Database: ${(await opening).description}`);
    return await run(command, service.commands);
  } finally {
    await service.close();
  }
}

async function run({ usage, input, json }: ParsedCommand, commands: Service['commands']) {
  try {
    const result = await commands.find((command) => command.usage === usage)?.run(input);
    const rows = result?.rows ?? [];
    const { stdout } = process;
    if (result?.lines !== undefined) await pipeline(linesOf(result.lines), stdout, { end: false });
    else
      stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : formatTable(rows, stdout.isTTY && stdout.hasColors()));
    for (const note of result?.notes ?? []) console.error(note);
    return 0;
  } catch (error) {
    console.error(describe(error));
    return 1;
  }
}

async function* linesOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

function describe(error: unknown): unknown {
  if (error instanceof AppError && error.details?.errors) {
    return error.details.errors
      .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
      .join('\n');
  }
  return describeFailure(error);
}

const log = commandLog({ info: console.error, warn: console.error });

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Rows as a table with a column for each name, in bold if there are colours; empty without rows. */
export function formatTable(rows: Rows, colours: boolean): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [names, ...rows.map((row) => names.map((name) => describeValue(row[name])))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const padded = cells.map((line) => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '));
  const [heading = '', ...body] = padded.map((line) => line.trimEnd());
  const lines = [colours ? paint('bold', heading) : heading, ...body.map((line) => (colours ? dimAbsent(line) : line))];
  return rows.length === 0 ? '' : `${lines.join('\n')}\n`;
}

const paint = (style: 'bold' | 'dim', text: string): string => styleText(style, text, { validateStream: false });

const dimAbsent = (line: string): string => line.replaceAll(/(?<=^|  )–(?=  |$)/g, paint('dim', '–'));

/** User input must not move the cursor of a reader's terminal. */
function describeValue(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\p{Cc}/gu, '�');
}

interface ParsedCommand {
  readonly usage: string;
  readonly input: CommandInput;
  /** The answer as JSON, for programs. */
  readonly json: boolean;
}

/**
 * Parses the arguments of `access`. Errors and help are printed; then it returns the exit code.
 * @param commands of the plugins that are on
 * @param name of the program in messages
 */
export async function readCommand(
  args: readonly string[],
  commands: readonly Command[],
  name = 'content-service access',
): Promise<ParsedCommand | 0 | 1> {
  let parsed: ParsedCommand | undefined;
  const program = new Program(name)
    .usage('<command> [--json]')
    .description('Manage roles, API tokens and users.')
    .exitOverride()
    .showHelpAfterError()
    .addHelpText('afterAll', `\n${describeExitCodes('access')}`);
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

/** What the first word of several commands is about. */
const groups: Readonly<Record<string, string>> = {
  user: 'create, block and delete users, and change their roles',
  token: 'create, renew and revoke API tokens',
  schedule: 'publish and unpublish entries at a time',
  cdn: 'test and purge the caches in front of the service',
  webhooks: 'add, test and remove webhooks, and look at deliveries',
  audit: 'write out and check the log of who did what',
};

/** `token create <name>` becomes a command `create <name>` of a command `token`. */
function addCommand(program: Program, usage: string): Program {
  const [, names = '', parameters = ''] = /^((?:[a-z]+ )*[a-z]+)(.*)$/.exec(usage) ?? [];
  const path = names.split(' ');
  const name = path.pop() ?? '';
  const parent = path.reduce(
    (above, word) =>
      above.commands.find((existing) => existing.name() === word) ??
      above.command(word).description(groups[word] ?? ''),
    program,
  );
  return parent.command(`${name}${parameters}`);
}
