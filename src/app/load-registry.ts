import { createRequire } from 'node:module';
import path from 'node:path';
import type { Config } from '../config/config.js';
import { fullName, isInstalled, loadPackage, packagesOfPlugins, rowOf } from '../config/optional-package.js';
import { createFindProvider } from '../config/project/find-provider.js';
import type { PluginSettings } from '../config/plugins/parse-plugins.js';
import { openPluginPlaces } from '../config/plugins/place-messages.js';
import { extendContentTypes } from '../content-types/load/extend-content-types.js';
import { link } from '../content-types/link/link.js';
import { findUnknownKeys } from '../content-types/load/unknown-keys.js';
import type { FileChanges } from '../content-types/load/read-json-files.js';
import { isStrapiProject } from '../config/project/is-strapi-project.js';
import { describeSettingFiles } from '../config/project/locate-setting.js';
import { load } from '../content-types/load/load.js';
import { dialectOf } from '../content-types/model/dialects.js';
import type { Definitions } from '../content-types/model/definition.js';
import { isScalarType } from '../content-types/model/attribute-types.js';
import type { Registry, ScalarType } from '../content-types/model/types.js';
import { createApiTokens } from '../plugins/api-tokens/api-tokens.js';
import { createContentTypeBuilder } from '../plugins/content-type-builder/content-type-builder.js';
import { createGraphql } from '../graphql/plugin.js';
import { createI18n } from '../plugins/i18n/i18n.js';
import { createDocumentation } from '../plugins/documentation/documentation.js';
import { createLandingPage } from '../plugins/landing-page/landing-page.js';
import { dependsOn, isStrapiPlugin, namesOfProject } from '../strapi/project/find-plugins.js';
import { hasCode } from '../strapi/project/find-files.js';
import type { BuiltInFactory, BuiltInPlugin } from '../plugins/contract/built-in.js';
import { checkPlugin } from '../plugins/contract/members.js';
import { hasDeclaration } from '../plugins/contract/read-declaration.js';
import { createUpload } from '../plugins/upload/upload.js';
import { createUsersPermissions } from '../plugins/users-permissions/users-permissions.js';
import { createReview } from '../plugins/review/review.js';
import { createSchedule } from '../plugins/schedule/schedule.js';
import { createTrash } from '../plugins/trash/trash.js';
import { createWebhooks } from '../plugins/webhooks/webhooks.js';
import { explainLoading, loadModule } from '../config/project/load-module.js';
import { noteFailure, StartError } from '../errors/start-error.js';

/** What needs the package of a plugin, where this is more than the plugin's name. */
const needs: Readonly<Record<string, string | undefined>> = {
  cdn: 'The plugin cdn, which reads config/cdn.json,',
};

/** What loads the plugins of packages: the default export of each. It throws a StartError for one that is missing. */
const ofPackages = [...packagesOfPlugins].map(([plugin, name]) => {
  const load = async (): Promise<BuiltInFactory> => {
    const loaded = await loadPackage(name, needs[plugin] ?? `The plugin ${plugin}`);
    return (loaded as { readonly default: BuiltInFactory }).default;
  };
  return [plugin, load] as const;
});

/**
 * The plugins in the order in which they run. Plugins that observe every write start before those that write at
 * startup; tokens of users are verified without a look-up, so they are tried before API tokens.
 */
const factories: Readonly<Record<string, () => BuiltInFactory | Promise<BuiltInFactory>>> = {
  upload: () => createUpload,
  i18n: () => createI18n,
  'users-permissions': () => createUsersPermissions,
  'api-tokens': () => createApiTokens,
  'content-type-builder': () => createContentTypeBuilder,
  graphql: () => createGraphql,
  documentation: () => createDocumentation,
  schedule: () => createSchedule,
  review: () => createReview,
  trash: () => createTrash,
  webhooks: () => createWebhooks,
  ...Object.fromEntries(ofPackages),
  'landing-page': () => createLandingPage,
};

/** Plugins that have no settings. */
const withoutSettings = [
  'content-type-builder',
  'documentation',
  'schedule',
  'review',
  'trash',
  'webhooks',
  'cdn',
  'landing-page',
];

/** What a plugin depends on that the plugins file does not name. */
const conditions: Readonly<Record<string, ((folders: Config['folders']) => boolean) | undefined>> = {
  cdn: (folders) => hasDeclaration('config/cdn.json', folders),
  // As in Strapi v4: the policies and controllers of code do not apply to it.
  graphql: ({ contentTypes }) => !hasCode(contentTypes) || dependsOn(contentTypes, '@strapi/plugin-graphql'),
};

/** Whether a plugin runs that the plugins file does not name: those of the core do, those of packages mostly do not. */
function runsUnnamed(plugin: string, { folders, environment }: Pick<Config, 'folders' | 'environment'>): boolean {
  const name = packagesOfPlugins.get(plugin);
  const runs = name !== undefined && isInstalled(name) ? rowOf(name).runs : undefined;
  if (runs === 'always' || (runs === 'in development' && environment === 'development')) return true;
  return conditions[plugin]?.(folders) ?? name === undefined;
}

/** What decides which plugins run. */
type PluginsConfig = Pick<Config, 'plugins' | 'folders' | 'environment'> & Partial<Pick<Config, 'servicePlugins'>>;

/**
 * Creates the enabled plugins: the built-in ones, then the project's.
 * @param warn receives a line for each setting that has no effect
 * @param failures receives the lines about wrong settings of a plugin, which then runs without, and about one that
 * cannot be loaded, in place of
 *   an error
 * @throws StartError if the settings of a plugin are invalid or unknown, a plugin of the project cannot be loaded, or
 * one has a member that
 *   the contract lacks
 */
export async function enabledPlugins(
  { plugins, servicePlugins = {}, folders, environment }: PluginsConfig,
  warn: (line: string) => void = () => undefined,
  failures?: string[],
): Promise<readonly BuiltInPlugin[]> {
  const { contentTypes } = folders;
  const findProvider = createFindProvider(folders);
  const tolerant = isStrapiProject(contentTypes);
  const places = openPluginPlaces({ folders, environment });
  // Where there is code, all of its files are looked at.
  if (tolerant && !hasCode(contentTypes))
    for (const line of describeSettingFiles(contentTypes, environment, 'config/plugins')) warn(line);
  for (const { ignored = [] } of Object.values(plugins)) for (const line of ignored) warn(line);
  const own = Object.entries(plugins).flatMap(([name, { resolve }]) =>
    resolve === undefined || isStrapiPlugin(contentTypes, resolve)
      ? []
      : [{ name, load: () => loadPlugin(name, resolve, folders.project), settings: plugins[name], isOfService: false }],
  );
  const ofProject = namesOfProject(contentTypes, plugins);
  const settingsOfService = (name: string): PluginSettings | undefined =>
    (ofProject.has(name) ? undefined : plugins[name]) ?? servicePlugins[name];
  const candidates = [
    ...Object.entries(factories).map(([name, load]) => ({
      name,
      load,
      settings: settingsOfService(name),
      isOfService: true,
    })),
    ...own,
  ];
  for (const name of withoutSettings) {
    for (const key of Object.keys(settingsOfService(name)?.config ?? {})) {
      const line = `${places.of(name, 'config', key)}: ${name}.config.${key} has no effect: the plugin has no settings`;
      if (!tolerant) throw new StartError(line);
      warn(line);
    }
  }
  const enabled = candidates.filter(
    ({ name, settings }) => settings?.enabled ?? runsUnnamed(name, { folders, environment }),
  );
  const loaded = await Promise.all(
    enabled.map(async ({ load, settings, ...candidate }) => {
      try {
        return [{ ...candidate, create: await load(), config: settings?.config ?? {} }];
      } catch (error) {
        return noteFailure(error, failures) ?? [];
      }
    }),
  );
  return loaded.flat().map(({ name, create, config, isOfService }) => {
    const report = tolerant ? (line: string): void => warn(places.prefix(name, line)) : undefined;
    const createWith = (settings: Readonly<Record<string, unknown>>): BuiltInPlugin => {
      const plugin: unknown = create(settings, findProvider, report);
      checkPlugin(name, plugin, isOfService);
      return plugin;
    };
    try {
      return createWith(config);
    } catch (error) {
      noteFailure(places.error(name, error), failures);
      return createWith({});
    }
  });
}

export const builtInPlugins: ReadonlySet<string> = new Set(Object.keys(factories));

/** What decides about the definitions of a project. */
interface ProjectConfig extends Partial<Pick<Config, 'dialect'>> {
  readonly folders: Pick<Config['folders'], 'contentTypes'>;
}

/**
 * The definitions of the project's content types and of those of the plugins, not linked yet.
 * @param warn called with a line for each key in the project's files that has no effect
 * @param changes read in place of the files
 * @param failures receives a line for each file that cannot be read, in place of an error
 * @throws StartError if files cannot be read
 */
export async function loadDefinitions(
  { folders, dialect }: ProjectConfig,
  plugins: readonly BuiltInPlugin[],
  warn?: (line: string) => void,
  { changes, failures }: { readonly changes?: FileChanges; readonly failures?: string[] } = {},
): Promise<Definitions> {
  const loaded = await load(folders.contentTypes, changes, failures);
  if (warn !== undefined) for (const line of findUnknownKeys(loaded)) warn(line);
  const { contentTypes, components, extensions, lenient = false } = loaded;
  const own = plugins.flatMap((plugin) => plugin.contentTypes ?? []);
  return {
    contentTypes: [...extendContentTypes(own, extensions), ...contentTypes],
    components,
    lenient,
    dialect: dialect && dialectOf(dialect.database, dialect.collation),
  };
}

/**
 * Links definitions, with the additions of plugins.
 * @param customFields the types of custom fields that code registered
 * @param warn receives each contradiction that Strapi v4 accepts, with file and line
 * @throws StartError if definitions are invalid
 */
export function linkDefinitions(
  definitions: Definitions,
  plugins: readonly BuiltInPlugin[],
  customFields: ReadonlyMap<string, string> = new Map(),
  warn: (line: string) => void = () => undefined,
): Registry {
  const additions = definitions.contentTypes.map((type) => {
    const added = plugins.map(({ attributes }) => attributes?.(type));
    return [type.uid, Object.assign({}, ...added) as NonNullable<(typeof added)[number]>] as const;
  });
  const fields = Object.fromEntries(
    [...customFields].filter((field): field is [string, ScalarType] => isScalarType(field[1])),
  );
  const parameters = plugins.flatMap((plugin) => plugin.parameters ?? []);
  return link(definitions, {
    additions: new Map(additions),
    customFields: fields,
    parameters,
    documentIds: plugins.some((plugin) => plugin.documentIds === true),
    workingCopies: plugins.some((plugin) => plugin.workingCopies === true),
    uniquePerLocale: plugins.some((plugin) => plugin.uniquePerLocale === true),
    sharedParts: plugins.some((plugin) => plugin.sharedParts === true),
    warn,
  });
}

/** What a plugin adds to the data, and where it comes from. */
export interface PluginOrigin {
  readonly name: string;
  /** What npm installs; undefined for a plugin of the core, and for one in the files of the project. */
  readonly package?: string;
  /** The uids of its own content types. */
  readonly contentTypes: readonly string[];
}

/** Where plugins come from, and what they add to the data. */
export const originsOf = (
  plugins: readonly BuiltInPlugin[],
  { plugins: settings }: Pick<Config, 'plugins'>,
): readonly PluginOrigin[] =>
  plugins.map(({ name, contentTypes = [] }) => {
    const origin = { name, contentTypes: contentTypes.map(({ uid }) => uid) };
    const installed = packageOf(name, settings[name]?.resolve);
    return installed === undefined ? origin : { ...origin, package: installed };
  });

function packageOf(plugin: string, resolve: string | undefined): string | undefined {
  const own = packagesOfPlugins.get(plugin);
  if (own !== undefined) return fullName(own);
  return resolve === undefined || /^[./]/.test(resolve) ? undefined : resolve;
}

/**
 * The project's content types and those of the plugins.
 * @throws StartError if definitions or settings of plugins are invalid
 */
export async function loadRegistry(config: PluginsConfig & ProjectConfig): Promise<Registry> {
  return (await loadWithPlugins(config)).registry;
}

/** The registry of a project, with the plugins that it is linked with. @throws StartError as `loadRegistry` */
export async function loadWithPlugins(config: PluginsConfig & ProjectConfig) {
  const plugins = await enabledPlugins(config);
  return { plugins, registry: linkDefinitions(await loadDefinitions(config, plugins), plugins) };
}

/**
 * The factory of a project's plugin: the default export of a module, given as a path relative to the project folder or
 * as a package.
 * @throws StartError if it cannot be loaded or is not a function
 */
async function loadPlugin(name: string, module: string, projectFolder: string): Promise<BuiltInFactory> {
  try {
    const file = createRequire(path.join(projectFolder, 'package.json')).resolve(module);
    const factory = await loadModule(file);
    if (typeof factory === 'function') return factory as BuiltInFactory;
    throw new Error('its default export is not a function');
  } catch (error) {
    const reason = explainLoading(error, projectFolder);
    throw new StartError(`The plugin ${name} (${module}) cannot be loaded: ${reason}`, { cause: error });
  }
}
