import { StartError } from '../../errors/start-error.js';
import { formatPlace, locateSetting, type SettingPlace } from '../project/locate-setting.js';

/** Names the file and line of plugins' settings in messages. */
export interface PluginPlaces {
  /** The place of the setting with these keys; the first is the name of the plugin. */
  of(...keys: readonly string[]): string;
  /** A plugin's message, after the place of the setting that it names: `config.sizeLimit`, or a provider. */
  prefix(name: string, message: string): string;
  /** A plugin's error: each line of a StartError after its place. */
  error(name: string, error: unknown): unknown;
}

interface Project {
  readonly folders: { readonly project: string; readonly contentTypes?: string };
  readonly environment?: string | undefined;
}

/** The places in the plugins files of a project. Names of files are relative to its folder. */
export function openPluginPlaces({ folders, environment = '' }: Project): PluginPlaces {
  const searched = [...new Set([folders.project, folders.contentTypes ?? folders.project])];
  const find = (keys: readonly string[]): SettingPlace =>
    locateSetting(searched, environment, { file: 'config/plugins', keys });
  const prefix = (name: string, message: string): string => {
    const [setting] = /\bconfig(?:\.[\w-]+)*|\bprovider(?= ")/.exec(message) ?? [];
    const keys = setting === 'provider' ? ['config', setting] : setting?.split('.');
    const position = keys && find([name, ...keys]);
    return position?.line === undefined ? message : `${formatPlace(position)}: ${message}`;
  };
  return {
    of: (...keys) => formatPlace(find(keys)),
    prefix,
    error: (name, error) => {
      if (!(error instanceof StartError)) return error;
      const lines = error.message.split('\n').map((line) => prefix(name, line));
      return new StartError(lines.join('\n'), { cause: error });
    },
  };
}
