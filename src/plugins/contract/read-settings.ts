import type { Data } from '../../config/record.js';
import { readOptions, refuseOthers, type Options } from '../../content-types/load/read-options.js';
import { reportTo, type Report } from '../../content-types/load/report.js';
import type { Schema } from '../../content-types/model/settings-schema.js';
import { StartError } from '../../errors/start-error.js';
import type { Tolerate } from './plugin.js';

/** What a plugin reads its settings with. Errors are reported together. */
export interface Reading {
  /** The valid settings of a table of rules, at `path`, e.g. `config.jwt.`; others are refused. */
  readonly read: <S extends Readonly<Record<string, Schema<unknown>>>>(
    input: Data,
    rules: S,
    path?: string,
  ) => Options<S>;
  readonly report: Report;
  /** Reports a setting that has no effect. */
  readonly refuse: Report;
}

/**
 * Reads `config` of a plugin in the plugins file.
 * @param tolerate receives a line for each setting that has no effect, see `PluginFactory`: Strapi v4 looks at the
 * values of none
 * @param guarding the settings that guard access or limit what clients can do: a wrong value of these is always an
 * error. Of a name with a dot at its end only what is in it
 * @throws StartError with a line for each error
 */
export function readSettings<T>(
  plugin: string,
  tolerate: Tolerate | undefined,
  parse: (reading: Reading) => T,
  guarding: readonly string[] = [],
): T {
  const mistakes: string[] = [];
  const complain = reportTo(mistakes, `Plugin ${plugin}`);
  const refuse: Report = tolerate ? (path, rule) => tolerate(`Plugin ${plugin}: ${path} ${rule}`) : complain;
  const isGuarding = (path: string): boolean =>
    guarding.some((name) =>
      name.endsWith('.') ? path.startsWith(`config.${name}`) : `${path}.`.startsWith(`config.${name}.`),
    );
  const report: Report = (path, rule) =>
    isGuarding(path) || tolerate === undefined ? complain(path, rule) : refuse(path, `${rule}; it has no effect`);
  const settings = parse({
    read: (input, rules, path = 'config.') => {
      refuseOthers(input, Object.keys(rules), path, refuse);
      return readOptions(input, rules, path, report);
    },
    report,
    refuse,
  });
  if (mistakes.length > 0) throw new StartError(mistakes.join('\n'));
  return settings;
}
