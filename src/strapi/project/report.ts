import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import lodash from 'lodash';
import type { Config } from '../../config/config.js';
import { packageSpec } from '../../config/project/package-spec.js';
import { dependencyVersions, installedPlugins } from '../../config/project/plugin-packages.js';
import type { StrapiVersion } from '../../config/project/strapi-version.js';
import { withoutComments } from '../../config/project/without-comments.js';
import { createFindProvider, packageOfProvider, type ProviderKind } from '../../config/project/find-provider.js';
import {
  formatPlace,
  locateSetting,
  type SettingPath,
  type SettingPlace,
} from '../../config/project/locate-setting.js';
import { storeNames } from '../../plugins/upload/storage/provider.js';
import { nearestName } from '../../errors/nearest-name.js';
import type { OpenProject } from '../open-project.js';
import { listRestGuards } from '../rest-guards.js';
import type { StrapiModules } from '../modules/strapi-modules.js';
import type { Strapi } from '../strapi.js';
import { phasesIn, type ModuleCode, type ProjectCode } from './load-project.js';
import {
  copiedPlugins,
  describePackages,
  editorPlugins,
  findDependency,
  missingPackages,
  namesOfProject,
} from './find-plugins.js';
import { isAbsentService } from '../absent-members.js';
import { codeIn, hasFile } from './find-files.js';
import { createIsForPanel } from './panel-controllers.js';
import { findMissingImports, isResolved } from './missing-imports.js';
import { pluginSources, sourcesOf, type Source } from './sources.js';
import { findUses, type Use } from './find-uses.js';
import { findGuards, isOwnText } from './own-guards.js';
import { refusals } from '../services/guards.js';
import {
  describeIgnoredKeys,
  describeIgnoredOptions,
  describeUnlimited,
  findIgnoredSettings,
  type IgnoredSetting,
  type SettingNote,
} from './report-settings.js';

/** An unsupported part of a project. */
export interface Unsupported extends SettingPlace {
  readonly what: string;
  readonly consequence: string;
  /** The package that is missing, with its version, if installing it helps. */
  readonly install?: string;
}

/** What guards an action over REST only. */
interface Guarded {
  readonly action: string;
  readonly line: string;
}

export interface ProjectReport {
  readonly folder: string;
  /** The version of Strapi that the project is written for. */
  readonly strapi: StrapiVersion;
  /** The number of files per kind of code. */
  readonly loaded: Readonly<Record<string, number>>;
  readonly plugins: readonly string[];
  /** Parts without effect on the API. */
  readonly notes: readonly string[];
  readonly unsupported: readonly Unsupported[];
  readonly guards?: readonly Guarded[];
  /** Settings and keys of definitions that have no effect; startup logs them. */
  readonly warnings?: readonly string[];
  /** What stops a start. */
  readonly failures?: readonly string[];
}

/** Folders and files for Strapi only. */
const withoutEffect: readonly (readonly [string, string])[] = [
  ['src/admin', "Strapi's admin panel is not there"],
  ['config/admin', "Strapi's admin panel is not there"],
  ['config/database', 'MONGODB_URI says which database is used; values have the rules of the client that it names'],
  ['config/logger', 'LOG_LEVEL says what is logged'],
];

/** Plugins of Strapi that need not be installed, and are none of the service: what they do is done elsewhere. */
const withoutPlugin = ['email', 'content-manager'];

/**
 * The code of a project, and its unsupported parts with their consequences.
 * @param ofService the names of the service's own plugins
 */
export function describeProject(
  { code, strapi, routedPlugins, panelChanges, modules }: OpenProject,
  config: Config,
  ofService: ReadonlySet<string>,
): ProjectReport {
  const ofProject = namesOfProject(code.folder, config.plugins);
  const builtIn = [...ofService, ...withoutPlugin].filter((name) => !ofProject.has(name));
  const present = new Set([...builtIn, ...routedPlugins, ...installedPlugins(code.folder).keys()]);
  // Configured, and not installed.
  const missing = Object.keys(
    lodash.pickBy(
      config.plugins,
      ({ enabled, resolve }, name) => enabled && resolve === undefined && !present.has(name),
    ),
  );
  const [editors, needed] = lodash.partition(missing, (name) => editorPlugins.has(name));
  const [unused, absent] = lodash.partition(needed, (name) => config.plugins[name]?.enabledByDefault);
  const sources = sourcesOf(code.folder, code.plugins);
  const all = [...sources, ...pluginSources(code)];
  const locate = (setting: SettingPath): SettingPlace =>
    locateSetting([code.folder, config.folders.project], config.environment, setting);
  const pluginNote = (name: string, note: string): SettingNote => ({ setting: pluginSetting(name), note });
  const settings = [
    ...describeIgnoredOptions(code.settings['middlewares']),
    ...describeIgnoredKeys(code.settings, config),
    ...describeUnlimited(strapi.config),
    ...editors.map((name) => pluginNote(name, `${name} has no effect: it is an editor for the admin panel`)),
    ...unused.map((name) =>
      pluginNote(name, `${name} has no effect: it is not installed, and not enabled in Strapi v4 either`),
    ),
  ];
  const packages = missingPackages(code.folder, config.plugins);
  const unsupportedSettings: readonly IgnoredSetting[] = [
    // The package of a plugin is named once.
    ...absent
      .filter((name) => !packages.some((missing) => missing.plugin === name))
      .map((name) => describeMissing(name, builtIn, findDependency(code.folder, name))),
    ...packages.map(({ name, range }) => ({
      setting: { file: 'package.json', keys: ['dependencies', name] },
      what: `the plugin package "${name}"`,
      consequence: 'it is not installed: nothing of it runs',
      install: `${name}@${range}`,
    })),
    ...copiedPlugins(code.folder, config.plugins).map((name) => ({
      setting: pluginSetting(name, 'resolve'),
      what: `a copy of @strapi/plugin-${name}`,
      consequence: 'a plugin of the service runs instead: changes in the copy have no effect',
    })),
    ...findProviders(config, dependencyVersions(code.folder)),
    ...findIgnoredSettings(code.settings),
  ];
  return {
    folder: code.folder,
    strapi: config.strapi,
    loaded: countLoaded(code, strapi),
    plugins: routedPlugins.filter((name) => !code.extensions.has(name) && !builtIn.includes(name)),
    notes: [
      ...withoutEffect.flatMap(([name, reason]) =>
        isThere(code.folder, name) ? [`${name} has no effect: ${reason}`] : [],
      ),
      ...describePackages(code.folder, config.plugins),
      ...settings.map(({ setting, note }) => `${formatPlace(locate(setting))}: ${note}`),
      ...(strapi.plugin('graphql') === undefined && config.plugins['graphql'] === undefined ? [graphqlIsOff] : []),
      ...findUnusedExtensions(code, strapi),
      ...panelChanges,
      ...findMigrations(code.folder),
      ...code.notes,
    ],
    unsupported: [
      ...unsupportedSettings.map(({ setting, ...rest }) => ({ ...locate(setting), ...rest })),
      ...findCodedDefinitions(code.folder),
      ...describeMissingImports(code.folder, sources, modules),
      ...findCalls(
        all.filter(({ file, content }) => !(file.includes('users-permissions') && isOwnText(content))),
        { strapi, major: config.strapi.major, modules, isForPanel: createIsForPanel(code, strapi) },
      ),
      ...findChangedGuards(code.folder, all),
    ],
  };
}

function countLoaded(code: ProjectCode, { config }: Strapi): Readonly<Record<string, number>> {
  const of = (kind: Exclude<keyof ModuleCode, 'index'>): number =>
    lodash.sumBy([...code.apis.values()], (api) => Object.keys(api[kind]).length);
  const { register, bootstrap, destroy } = phasesIn(code.index);
  const loaded = {
    routes: of('routes'),
    controllers: of('controllers'),
    services: of('services'),
    policies: of('policies') + Object.keys(code.policies).length,
    middlewares: of('middlewares') + Object.keys(code.middlewares).length,
    lifecycles: of('lifecycles'),
    'functions of src/index': [register, bootstrap, destroy].filter((phase) => phase !== undefined).length,
    'strapi-server': code.extensions.size,
    'cron tasks': Object.keys(config.get('server.cron.tasks', {}) as object).length,
  };
  return Object.fromEntries(Object.entries(loaded).filter(([, count]) => count > 0));
}

const isThere = (folder: string, name: string): boolean =>
  fs.existsSync(path.join(folder, name)) || hasFile(folder, name);

const pluginSetting = (...keys: readonly string[]): SettingPath => ({ file: 'config/plugins', keys });

/** A plugin that is not installed: that of a dependency, a misspelled one, or of a package with the usual name. */
function describeMissing(name: string, builtIn: readonly string[], dependency: string | undefined): IgnoredSetting {
  const nearest = dependency === undefined ? nearestName(name, builtIn) : undefined;
  const owned = ownPlugins.has(name) ? `@strapi/plugin-${name}` : `strapi-plugin-${name}`;
  const hint = dependency === undefined && nearest === undefined ? `: the package may be ${owned}` : '';
  return {
    setting: pluginSetting(name),
    what: `the plugin "${name}"${meant(nearest)}`,
    consequence: `it is not installed and does not run${hint}`,
    ...(nearest === undefined && { install: dependency ?? owned + (ownPlugins.has(name) ? '@4' : '') }),
  };
}

/** Plugins of Strapi's own that the service has no counterpart of. */
const ownPlugins: ReadonlySet<string> = new Set(['color-picker', 'seo', 'sentry']);

const meant = (name: string | undefined): string => (name === undefined ? '' : `; did you mean "${name}"?`);

/** Providers that are configured and not installed. */
function findProviders(
  { plugins, folders, variables }: Config,
  dependencies: Readonly<Record<string, string>>,
): readonly IgnoredSetting[] {
  const find = createFindProvider(folders);
  const missing = (kind: ProviderKind, builtIn: readonly string[], consequence: string): readonly IgnoredSetting[] => {
    const { enabled = false, config = {} } = plugins[kind] ?? {};
    const { provider } = config;
    if (!enabled || typeof provider !== 'string' || builtIn.includes(provider)) return [];
    if (find(kind, provider) !== undefined) return [];
    const setting = pluginSetting(kind, 'config', 'provider');
    const what = `the ${kind} provider "${provider}"`;
    const install = packageOfProvider(kind, provider, dependencies);
    return [
      { setting, what, consequence: `it is not installed: ${consequence}`, ...(install !== undefined && { install }) },
    ];
  };
  return [
    ...missing('upload', storeNames, 'the start stops'),
    ...(variables['SMTP_URL'] === undefined ? missing('email', [], 'mail is not sent unless SMTP_URL is set') : []),
  ];
}

const graphqlIsOff =
  'there is no GraphQL API: @strapi/plugin-graphql is not in the dependencies; graphql: { enabled: true } in config/plugins turns it on';

/** The actions whose guard over REST does not run over GraphQL, unless the code adds one in `register`. */
export const describeRestGuards = (project: OpenProject): readonly Guarded[] =>
  project.strapi.plugin('graphql') === undefined
    ? []
    : listRestGuards(project).map(({ action, guard }) => ({
        action,
        line: `${action}: GraphQL does not run the ${guard}, as in Strapi v4, unless resolversConfig adds policies`,
      }));

/** `strapi-server` of plugins that are not there. */
const findUnusedExtensions = ({ extensions }: ProjectCode, { plugins }: Strapi): readonly string[] =>
  [...extensions].flatMap(([name, { file }]) =>
    Object.keys(plugins as object).includes(name) ? [] : [`${file} has no effect: there is no plugin "${name}"`],
  );

/** Content types and components in files that are no JSON. */
const findCodedDefinitions = (folder: string): readonly Unsupported[] =>
  [...codeIn(path.join(folder, 'src', 'api')), ...codeIn(path.join(folder, 'src', 'components'))]
    .map((file) => path.relative(folder, file))
    .filter((file) => !file.endsWith('.json') && isCodedDefinition(file.split(path.sep)))
    .map((file) => ({ file, what: 'a definition in code', consequence: 'the type is not there: write it as JSON' }));

const isCodedDefinition = ([, folderName, , kind, , name = '', ...more]: readonly string[]): boolean =>
  folderName === 'components' || (kind === 'content-types' && name.startsWith('schema.') && more.length === 0);

/** Migrations are written for the database of Strapi. Data that is imported from there is already migrated. */
const findMigrations = (folder: string): readonly string[] =>
  codeIn(path.join(folder, 'database', 'migrations')).map(
    (file) => `${path.relative(folder, file)} does not run: imported data is already migrated`,
  );

const describeMissingImports = (
  folder: string,
  sources: readonly Source[],
  { fateOf }: StrapiModules,
): readonly Unsupported[] =>
  findMissingImports(folder, sources, (request) => fateOf(request) !== undefined).map(({ name, ...place }) => ({
    ...place,
    what: `the package "${name}"`,
    consequence: 'it is not installed',
    install: packageSpec(name, folder),
  }));

/** Files whose functions run when the service starts: those of the project, of its plugins, and of packages. */
const ofStart =
  /(?:^src\/(?:plugins\/[^/]+\/(?:server\/(?:src\/)?)?)?|\/server\/(?:src\/)?)(?:index|register|bootstrap)(?:\/|\.[cm]?[jt]s$)/;

interface CallParts {
  readonly strapi: Strapi;
  readonly modules: StrapiModules;
  readonly major: StrapiVersion['major'];
  readonly isForPanel: (source: Source) => boolean;
}

/** What code uses and the service lacks, by file: what runs at the start comes first. */
function findCalls(
  sources: readonly Source[],
  { strapi, modules, major, isForPanel }: CallParts,
): readonly Unsupported[] {
  const [early, late] = lodash.partition(sources, ({ file }) => ofStart.test(file.replaceAll(path.sep, '/')));
  const callsOf = (list: readonly Source[], fate: string): readonly Unsupported[] =>
    list.flatMap((source) => {
      const { file, content } = source;
      return findUses(content, major, (request) => modules.fateOf(request) === 'absent')
        .filter((use) => isLacking(use, strapi))
        .map(({ line, what, cause = '', isCaught, consequence }) => {
          const reached = isForPanel(source) ? onlyForPanel : isCaught ? caught : fate;
          return { file, line, what, consequence: consequence ?? `${cause}the call throws${reached}` };
        });
    });
  return [...callsOf(early, ', which stops the start in register and bootstrap'), ...callsOf(late, '')];
}

/** The files of users-permissions that code requires to run them as they are. */
const requiredGuards = (folder: string, sources: readonly Source[]): readonly Source[] =>
  sources.flatMap(({ file, content }) =>
    [...withoutComments(content).matchAll(ofUsersPermissions)].flatMap(([, request = '']): readonly Source[] => {
      const { resolve } = createRequire(path.join(folder, file));
      if (!isResolved(request, resolve)) return [];
      const required = resolve(request);
      return [{ file: path.relative(folder, required), content: fs.readFileSync(required, 'utf8') }];
    }),
  );

const ofUsersPermissions = /['"`]([^'"`\s]*@strapi\/plugin-users-permissions\/server\/register(?:\.js)?)['"`]/g;

const caught = ', and the code around it goes on';

const onlyForPanel = ", and only routes for Strapi's admin panel, which is not there, lead to it";

/** Guards of code that stop a start. */
const findChangedGuards = (folder: string, sources: readonly Source[]): readonly Unsupported[] =>
  [...sources, ...requiredGuards(folder, sources)].flatMap(({ file, content }) =>
    findGuards(path.join(folder, file), content)
      .filter(({ isOwn }) => !isOwn)
      .map(({ kind, line }) => ({ file, line, what: refusals[kind], consequence: 'the start stops' })),
  );

/** Code can bring a service that the service lacks, and a component can be of another plugin. */
function isLacking({ service, component, typeWithDrafts }: Use, strapi: Strapi): boolean {
  if (service !== undefined) return isAbsentService(strapi.service(service));
  if (typeWithDrafts !== undefined) return strapi.contentType(typeWithDrafts)?.options['draftAndPublish'] === true;
  return component === undefined || strapi.components[component] !== undefined;
}
