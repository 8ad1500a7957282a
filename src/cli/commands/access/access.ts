import type { Service } from '../../../app/app.js';
import { readConfig } from '../../../config/read-config.js';
import { AppError } from '../../../errors/app-error.js';
import { enabledPlugins } from '../../../app/load-registry.js';
import { openDatabase } from '../../../mongo/connection/open-database.js';
import { describeFailure } from '../../io/project.js';
import { startService } from '../../../server/start-service.js';
import { hasColours } from '../../io/terminal.js';
import { formatJson, formatTable } from './print-rows.js';
import { readCommand, type ParsedCommand } from './read-command.js';

/** 0 done, 1 refused, 2 it could not begin. */
export type AccessExit = 0 | 1 | 2;

/**
 * Does what the arguments ask for, on the project of this folder: `npx content-service access`. The answer goes to stdout,
 * all else to stderr.
 */
export async function access(args: readonly string[]): Promise<AccessExit> {
  try {
    const config = await readConfig();
    const described = (await enabledPlugins(config)).flatMap((plugin) => plugin.commands ?? []);
    const command = await readCommand(args, described);
    if (typeof command === 'number') return command;
    const opening = openDatabase({ ...config.database, dataFolder: config.folders.data, beside: true }, log);
    // What access.json declares would undo what the command before has done.
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
