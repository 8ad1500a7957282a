import type { PluginSettings } from '../plugins/parse-plugins.js';
import type { StrapiVersion } from './strapi-version.js';

interface VersionSettings {
  readonly plugins: Readonly<Record<string, PluginSettings>>;
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
  plugins: VersionSettings['plugins'],
  { prefix, isNamed }: { readonly prefix: string; readonly isNamed: boolean },
): VersionSettings {
  if (major === 4 || plugins['strapi5'] !== undefined) return { plugins, prefix, isOffered: true };
  const { graphql } = plugins;
  return {
    plugins: {
      ...plugins,
      strapi5: { enabled: true, config: { path: '/' } },
      graphql: { enabled: hasGraphql, ...graphql, config: { ...graphql?.config, endpoint: GRAPHQL_OF_V4 } },
    },
    prefix: isNamed ? prefix : PREFIX_OF_V4,
    isOffered: isNamed,
  };
}
