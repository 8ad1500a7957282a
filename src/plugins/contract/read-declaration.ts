import fs from 'node:fs';
import path from 'node:path';
import { readJson } from '../../config/read-json.js';
import { readDeclared, type Options } from '../../content-types/load/read-options.js';
import { reportTo, type Report } from '../../content-types/load/report.js';
import type { Schema } from '../../content-types/model/settings-schema.js';
import { reasonOf } from '../../errors/reason-of.js';
import { StartError } from '../../errors/start-error.js';
import { isReached, parseSecret, type SecretSource } from './http/receiver.js';
import type { ServiceSettings } from './plugin-context.js';

/** What a plugin reads a file of the project with. Errors are reported together. */
export interface Declaration {
  /** The content of the file. */
  readonly content: unknown;
  /** The valid values of an object by a table of rules, at `path`, e.g. `caches[0].`; others are reported. */
  readonly read: <S extends Readonly<Record<string, Schema<unknown>>>>(
    input: unknown,
    rules: S,
    path?: string,
  ) => Options<S>;
  readonly report: Report;
  /**
   * The value of the environment variable that `{ "env": "NAME" }` names: a secret does not belong into a file that is
   * under version control. Empty if it has none, which is reported outside of tests; undefined if there is no input.
   */
  readonly secret: (input: unknown, path: string) => string | undefined;
  /**
   * Whether the plugin may call an address that the file declares: in tests of a project, only those of this machine.
   */
  readonly isReached: (url: string) => boolean;
}

/**
 * Reads a file of the project, e.g. `config/cdn.json`; undefined: there is none.
 * @throws StartError with a line for each error
 */
export function readDeclaration<T>(
  name: string,
  settings: Pick<ServiceSettings, 'folders' | 'variables' | 'environment'>,
  parse: (declaration: Declaration) => T,
): T | undefined {
  const file = findFile(name, settings.folders);
  return file === undefined ? undefined : parseDeclaration(name, readContent(file, name), settings, parse);
}

type Folders = Pick<ServiceSettings['folders'], 'project' | 'contentTypes'>;

/** Whether the project has such a file. */
export const hasDeclaration = (name: string, folders: Folders): boolean => findFile(name, folders) !== undefined;

const findFile = (name: string, { project, contentTypes }: Folders): string | undefined =>
  [project, contentTypes].map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file));

function readContent(file: string, name: string): unknown {
  try {
    return readJson(file);
  } catch (error) {
    throw new StartError(`${name}: ${reasonOf(error)}`);
  }
}

/** Parses the content of such a file. @throws StartError with a line for each error */
export function parseDeclaration<T>(
  name: string,
  content: unknown,
  source: SecretSource,
  parse: (declaration: Declaration) => T,
): T {
  const mistakes: string[] = [];
  const report = reportTo(mistakes, name);
  const parsed = parse({
    content,
    read: (input, rules, at = '') => readDeclared(input, rules, at, report),
    report,
    secret: (input, at) => parseSecret(input, at, source, report),
    isReached: (url) => isReached(url, source.environment),
  });
  if (mistakes.length > 0) throw new StartError(mistakes.join('\n'));
  return parsed;
}
