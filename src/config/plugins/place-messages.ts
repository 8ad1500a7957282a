import { StartError } from '../../errors/start-error.js';
import type { Config } from '../config.js';
import { formatPlace, locateSetting, type SettingPlace } from '../project/locate-setting.js';

/**
 * Names the file and line of plugins' settings in messages. Names of files are relative to the folder of the project.
 */
export function openPluginPlaces({ folders, environment }: Pick<Config, 'folders' | 'environment'>) {
  const searched = [...new Set([folders.project, folders.contentTypes])];
  const find = (keys: readonly string[]): SettingPlace =>
    locateSetting(searched, environment, { file: 'config/plugins', keys });
  /** A plugin's message, after the place of the setting that it names: `config.sizeLimit`, or a provider. */
  const prefix = (name: string, message: string): string => {
    const [setting] = /\bconfig(?:\.[\w-]+)*|\bprovider(?= ")/.exec(message) ?? [];
    const keys = setting === 'provider' ? ['config', setting] : setting?.split('.');
    const position = keys && find([name, ...keys]);
    return position?.line === undefined ? message : `${formatPlace(position)}: ${message}`;
  };
  return {
    /** The place of the setting with these keys; the first is the name of the plugin. */
    of: (...keys: readonly string[]): string => formatPlace(find(keys)),
    prefix,
    /** A plugin's error: each line of a StartError after its place. */
    error: (name: string, error: unknown): unknown => {
      if (!(error instanceof StartError)) return error;
      const lines = error.message.split('\n').map((line) => prefix(name, line));
      return new StartError(lines.join('\n'), { cause: error });
    },
  };
}
