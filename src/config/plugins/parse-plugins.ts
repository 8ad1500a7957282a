import { StartError } from '../../errors/start-error.js';
import { isRecord } from '../record.js';

/** The content of a plugins file, by plugin; `true` is short for `{ enabled: true }`. */
export type PluginsFile = Readonly<
  Record<
    string,
    | boolean
    | { readonly enabled?: boolean; readonly config?: Readonly<Record<string, unknown>>; readonly resolve?: string }
  >
>;

/** The settings of one plugin, with defaults for what the file leaves out. Each plugin parses its own `config`. */
export interface PluginSettings {
  readonly enabled: boolean;
  /** The value of `enabled` is a default: Strapi v4 loads such a plugin only if it is installed. */
  readonly enabledByDefault?: true;
  readonly config: Readonly<Record<string, unknown>>;
  /** The module of a project's plugin: a path relative to the project folder, or a package. */
  readonly resolve?: string;
  /** A line for each value without effect: Strapi v4 accepts them. */
  readonly ignored?: readonly string[];
}

/**
 * Checks the exports of a plugins file. Messages name `file`.
 * @param lenient what Strapi v4 ignores is ignored too, see `ignored`
 * @param position names the file and line of a setting
 * @throws StartError with a line for each error
 */
export function parsePlugins(
  content: unknown,
  file: string,
  {
    lenient = false,
    position = () => file,
  }: { lenient?: boolean; position?: (keys: readonly string[]) => string } = {},
): Readonly<Record<string, PluginSettings>> {
  if (!isRecord(content)) throw new StartError(`${file} contains ${show(content)}; allowed: an object`);
  const problems: string[] = [];
  const complain = (keys: readonly string[], actual: string, allowed: string) => {
    problems.push(`${position(keys)}: ${keys.join('.')} is ${actual}; allowed: ${allowed}`);
  };
  const parse = (name: string, plugin: unknown): PluginSettings => {
    if (typeof plugin === 'boolean') return { enabled: plugin, config: {} };
    const ignored: string[] = [];
    const ignore: typeof complain = lenient
      ? (keys, actual, allowed) =>
          ignored.push(`${position(keys)}: ${keys.join('.')} is ${actual} and has no effect; allowed: ${allowed}`)
      : complain;
    if (!isRecord(plugin)) ignore([name], show(plugin), 'true, false or an object');
    const { enabled = true, config = {}, resolve, ...unknownKeys } = isRecord(plugin) ? plugin : {};
    // Strapi v4 takes any value as true or false.
    const on = lenient ? Boolean(enabled) : enabled === true;
    const settings = isRecord(config) ? config : {};
    if (!lenient && on !== enabled) complain([name, 'enabled'], show(enabled), 'true or false');
    if (settings !== config) ignore([name, 'config'], show(config), 'an object');
    if (resolve !== undefined && typeof resolve !== 'string') complain([name, 'resolve'], show(resolve), 'a string');
    const byDefault = lenient && !(isRecord(plugin) && 'enabled' in plugin);
    for (const key of Object.keys(unknownKeys)) ignore([name, key], 'unknown', 'enabled, config and resolve');
    return {
      enabled: on,
      ...(byDefault && { enabledByDefault: true as const }),
      config: settings,
      ...(typeof resolve === 'string' && { resolve }),
      ...(ignored.length > 0 && { ignored }),
    };
  };
  const settings = Object.entries(content).map(([name, plugin]) => [name, parse(name, plugin)] as const);
  if (problems.length > 0) throw new StartError(problems.join('\n'));
  return Object.fromEntries(settings);
}

/** Describes an invalid value without its content, which may be long or secret. */
function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' || typeof value === 'function' ? `a ${typeof value}` : String(value);
}
