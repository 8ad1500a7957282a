import type { PluginSettings } from '../plugins/parse-plugins.js';
import { installedPlugins } from './plugin-packages.js';
import type { StrapiVersion } from './strapi-version.js';

type AllSettings = Readonly<Record<string, PluginSettings>>;

interface VersionSettings {
  readonly plugins: AllSettings;
  /** The settings of plugins of the service, if the project gives them none: it may have its own of that name. */
  readonly servicePlugins: AllSettings;
  /** The path of the API in Strapi v4's form. */
  readonly prefix: string;
  /** Whether it is there. */
  readonly isOffered: boolean;
}

const PREFIX_OF_V4 = '/v4/api';
const GRAPHQL_OF_V4 = '/v4/graphql';

/**
 * What follows from the version of a project, unless its settings say otherwise: the API of Strapi 5 has the addresses
 * of Strapi in a project of Strapi 5, and the form of Strapi v4 is only there if `REST_PREFIX` gives it one.
 */
export function versionSettings(
  { major, hasGraphql }: StrapiVersion,
  plugins: AllSettings,
  { folder, prefix, isNamed }: { readonly folder: string; readonly prefix: string; readonly isNamed: boolean },
): VersionSettings {
  const named = plugins['strapi5'];
  const isSettled = named !== undefined && named.resolve === undefined && !installedPlugins(folder).has('strapi5');
  if (major === 4 || isSettled) return { plugins, servicePlugins: {}, prefix, isOffered: true };
  const { graphql } = plugins;
  return {
    plugins: {
      ...plugins,
      graphql: { enabled: hasGraphql, ...graphql, config: { ...graphql?.config, endpoint: GRAPHQL_OF_V4 } },
    },
    servicePlugins: { strapi5: { enabled: true, config: { path: '/' } } },
    prefix: isNamed ? prefix : PREFIX_OF_V4,
    isOffered: isNamed,
  };
}
