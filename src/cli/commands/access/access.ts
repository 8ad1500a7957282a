import { styleText } from 'node:util';
import type { Service } from '../../../app/app.js';
import { readConfig } from '../../../config/read-config.js';
import { AppError } from '../../../errors/app-error.js';
import { enabledPlugins } from '../../../app/load-registry.js';
import { openDatabase } from '../../../mongo/connection/open-database.js';
import { describeFailure } from '../../io/project.js';
import { startService } from '../../../server/start-service.js';
import { hasColours } from '../../io/terminal.js';
import { readCommand, type ParsedCommand } from './read-command.js';

/** 0 done, 1 refused, 2 it could not begin. */
type AccessExit = 0 | 1 | 2;

/**
 * Runs `npx content-service access` on the project of this folder. The result goes to stdout,
 * all else to stderr.
 */
export async function access(args: readonly string[]): Promise<AccessExit> {
  try {
    const config = await readConfig();
    const described = (await enabledPlugins(config)).flatMap((plugin) => plugin.commands ?? []);
    const command = await readCommand(args, described);
    if (typeof command === 'number') return command;
    const opening = openDatabase({ ...config.database, dataFolder: config.folders.data, beside: true }, log);
    // Applying access.json would undo the effect of the previous command.
    const service = await startService(config, opening, log, { bootstrap: false, applyDeclared: false });
    try {
      console.error(`Database: ${(await opening).description}`);
      return await run(command, service.commands);
    } finally {
      await service.close();
    }
  } catch (error) {
    console.error(describe(error));
    return 2;
  }
}

async function run({ usage, input, json }: ParsedCommand, commands: Service['commands']) {
  try {
    const result = await commands.find((command) => command.usage === usage)?.run(input);
    const rows = result?.rows ?? [];
    process.stdout.write(json ? formatJson(rows) : formatTable(rows, hasColours(process.stdout)));
    for (const note of result?.notes ?? []) console.error(note);
    return 0;
  } catch (error) {
    console.error(describe(error));
    return 1;
  }
}

function describe(error: unknown): unknown {
  if (error instanceof AppError && error.details?.errors) {
    return error.details.errors
      .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
      .join('\n');
  }
  return describeFailure(error);
}

const log = { info: console.error, warn: console.error, error: console.error };

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

const formatJson = (rows: Rows): string => `${JSON.stringify(rows, null, 2)}\n`;

const paint = (style: 'bold' | 'dim', text: string): string => styleText(style, text, { validateStream: false });

/** Missing values, dimmed. */
const dimAbsent = (line: string): string => line.replaceAll(/(?<=^|  )–(?=  |$)/g, paint('dim', '–'));

/** User input must not move the cursor of a reader's terminal. */
function describeValue(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\p{Cc}/gu, '�');
}
