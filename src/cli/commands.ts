import { loadPackage, type OptionalPackage } from '../config/optional-package.js';
import { setVariables } from '../config/project/variables.js';
import { runUntilSignal } from '../server/shutdown-signal.js';
import type { ExitCode, exitCodes } from './exit-codes.js';
import type { CompareOptions } from './commands/compare/compare.js';
import type { DoctorOptions } from './commands/doctor/doctor.js';
import type { ExportOptions } from './commands/export/export.js';
import type { ImportOptions } from './commands/import/import.js';
import type { MigrateOptions } from './commands/migrate/migrate.js';
import type { ShadowOptions } from './commands/shadow/shadow.js';
import type { SeedOptions } from './commands/seed/seed.js';
import type { TypesOptions } from './commands/types/types.js';

/** A command of the program. Its modules are imported when it runs, so that `--help` loads nothing else. */
export interface CommandRow {
  /** With the command that it belongs to, e.g. `generate type`. */
  readonly name: string;
  readonly description: string;
  /** Descriptions of the arguments and options by their flags; those of options can have a default. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly required?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, string | readonly [description: string, fallback: string | boolean]>>;
  /** What follows the help. */
  readonly examples?: string;
  /** Its exit codes, if they are not those of most commands. */
  readonly exitCodes?: keyof typeof exitCodes;
  /** The exit code after an error; default: 2. */
  readonly failure?: 1;
  /** All that follows the name is passed on as arguments, also options and `--help`. */
  readonly isParsedLater?: true;
  /**
   * Returns the exit code: 0 done, 1 partly refused, 2 failed, 130 interrupted; undefined while a service runs. A
   * command without it has others below it.
   */
  run?(args: never, options: never): Promise<number | undefined | void>;
}

const json = ['print the result as JSON on stdout, and everything else on stderr', false] as const;

/**
 * A command whose arguments plugins describe: those whose usage begins with its name, or all of them below `access`.
 * @param optional the package of the plugin
 */
const ofPlugins = (name: string, description: string, optional?: OptionalPackage): CommandRow => ({
  name,
  description: `${description}; see \`${name} --help\``,
  arguments: { '[args...]': '' },
  isParsedLater: true,
  exitCodes: 'access',
  run: async ([args]: [readonly string[]]) => {
    if (optional !== undefined) await loadPackage(optional, `The command ${name}`);
    const { access } = await import('./commands/access/access.js');
    return name === 'access' ? access(args, 'content-service access') : access([name, ...args], 'content-service');
  },
});

const examples = `
Write attributes as name:type[:option], with ! for required attributes:
  title:string!  kind:enumeration:essay,note  slug:uid:title  cover:media  gallery:media:multiple
  author:manyToOne:author  tags:manyToMany:tag  seo:component:shared.seo  links:components:shared.link
  blocks:dynamiczone:blocks.text,blocks.quote`;

/** In the order of `--help`. */
export const commandRows: readonly CommandRow[] = [
  {
    name: 'start',
    failure: 1,
    description: 'start the service',
    exitCodes: 'service',
    options: {
      '--port <number>': 'the port to listen on; overrides PORT',
      '--data <folder>': 'the folder of the local database and of generated files; overrides DATA_FOLDER',
    },
    run: async (_: unknown, { port, data }: { readonly port?: string; readonly data?: string }) => {
      // Workers of CLUSTER inherit them.
      setVariables({ PORT: port, DATA_FOLDER: data });
      const { runService } = await import('../server/run-service.js');
      runService();
    },
  },
  {
    name: 'init',
    failure: 1,
    description: 'write a new project into an empty folder: content type, access, settings, a test, container files',
    arguments: { '<folder>': 'is created if it does not exist' },
    options: {
      '--type <name>': 'the first content type, in the singular; prompted for on a terminal',
      '--package <spec>':
        'what package.json names as this package; default: the file that it was installed from, or its version',
      '--with <packages>': 'packages of Content Service to begin with, e.g. strapi5,mcp; `add` installs them later',
      '--yes': 'use the defaults for all missing arguments',
    },
    run: async ([folder]: [string], options: object) => (await import('./commands/init/init.js')).init(folder, options),
  },
  {
    name: 'dev',
    failure: 1,
    description: 'start the service, and restart it when content types, config/ or extensions/ change',
    exitCodes: 'service',
    run: async () => (await import('./commands/dev/dev.js')).develop(),
  },
  {
    name: 'seed',
    description: 'create entries from a file, an image or a folder',
    arguments: { '<place>': 'a .json or .ndjson file, an image, or a folder of these' },
    options: {
      '--reset': ['first delete all entries of the types that the files name', false],
      '--yes': ['do not ask before deleting', false],
      '--json': json,
    },
    run: async ([location]: [string], options: Omit<SeedOptions, 'location'>) => {
      const { seed } = await import('./commands/seed/seed.js');
      return runUntilSignal((stopping) => seed({ location, ...options }, stopping));
    },
  },
  {
    name: 'export',
    description: 'write all data to an archive that import reads; a running service keeps running',
    arguments: { '[file]': 'default: export-<time>.tar.gz in this folder' },
    options: {
      '--format <format>': [
        '`content-service`, or `strapi` for `strapi import` of Strapi v4 or 5, whichever wrote the archive of --like',
        'content-service',
      ],
      '--like <archive>':
        'for strapi: an archive of `strapi export` of the project, whose schemas and settings are repeated',
      '--key <password>': 'the password of that archive, if it is encrypted',
      '--dry-run': ['for strapi: only say what Strapi cannot hold', false],
      '--json': json,
    },
    run: async ([file]: [string?], options: Omit<ExportOptions, 'file'>) => {
      const { runExport } = await import('./commands/export/export.js');
      return runUntilSignal((stopping) => runExport({ file, ...options }, stopping));
    },
  },
  {
    name: 'import',
    description: 'restore an archive of export, or import an export of Strapi v4 or 5, or the MongoDB of Strapi v3',
    arguments: {
      '[archive]': 'the archive, the folder that one of Strapi is unpacked in, or that of a mongodump of Strapi v3',
    },
    options: {
      '--key <password>': 'the password of an encrypted archive',
      '--from <uri>': 'the MongoDB of a Strapi v3 project; it is only read',
      '--models <folder>': 'the project folder of Strapi v3, which contains the models',
      '--accept-differences': ['skip attributes and types that the content types do not have', false],
      '--remove-others': ['first remove entries that are not in the archive', false],
      '--without <plugins>':
        'leave out what plugins that do not run here have in an archive of export; separated by commas',
      '--json': json,
    },
    run: async ([archive]: [string?], options: Omit<ImportOptions, 'archive'>) => {
      const { runImport } = await import('./commands/import/import.js');
      return runUntilSignal((stopping) => runImport({ archive, ...options }, stopping));
    },
  },
  {
    name: 'compare',
    description: 'send the reads of a log to a running Strapi v4 and to this service, and report the differences',
    required: {
      '--reference <url>': 'the URL of Strapi v4',
      '--requests <file>': 'an access log, a HAR file, or a list of paths',
    },
    options: {
      '--ours <url>': ['the URL of this service', 'http://127.0.0.1:1337'],
      '--reference-token <token>': 'sent to Strapi as Authorization: Bearer …',
      '--token <token>': 'sent to this service; default: the same token',
      '--json': json,
    },
    run: async (_: unknown, options: CompareOptions) =>
      (await import('./commands/compare/compare.js')).compare(options),
  },
  {
    name: 'shadow',
    description:
      'answer clients from a running Strapi v4, send each request to this service too, and report the differences',
    required: { '--reference <url>': 'the URL of Strapi v4' },
    options: {
      '--ours <url>': ['the URL of this service', 'http://127.0.0.1:1337'],
      '--port <number>': ['the port that clients use', '1338'],
      '--report-port <number>': ['the port of the live report, on this machine only', '1339'],
      '--writes <mode>': ['mirror them in the same order, or skip them', 'mirror'],
      '--answer-from <side>': ['who answers the clients: reference or service', 'reference'],
      '--except <paths>': 'beginnings of paths that the other side answers, separated by commas',
      '--memory <megabytes>': ['what may wait to be compared; the rest is counted', '64'],
      '--json': json,
    },
    run: async (_: unknown, options: ShadowOptions) => {
      const { shadow } = await import('./commands/shadow/shadow.js');
      return runUntilSignal((stopping) => shadow(options, stopping));
    },
  },
  ofPlugins('access', 'list and change roles, API tokens and users'),
  ofPlugins('schedule', 'publish and unpublish entries at a time'),
  ofPlugins('cdn', 'test and purge the caches in front of the service', 'cdn'),
  ofPlugins('audit', 'write out and check the log of who did what', 'audit'),
  ofPlugins('webhooks', 'list, add, test and remove webhooks and look at deliveries'),
  {
    name: 'types',
    description: 'write the content types as TypeScript, for content-service/client',
    options: {
      '--out <file>': 'the file to write; default: standard output',
      '--client <package>': ['the package that the types are for', 'content-service/client'],
      '--role <role>': 'what a role of access.json sees and writes; default: everything',
      '--url <url>': 'the URL of a running service; default: the project in this folder',
      '--token <token>': 'an API token for --url; not needed for a service in development on this machine',
      '--format <format>': ['of the API: 4, or 5 for that of the plugin strapi5', '4'],
      '--path <path>': 'of the API at the URL; default: /api, with the format 5 /v5/api',
    },
    run: async (_: unknown, options: TypesOptions) => (await import('./commands/types/types.js')).writeTypes(options),
  },
  {
    name: 'mcp',
    description: 'connect an assistant that starts programs with the content of a running service',
    required: { '--token <token>': 'an API token: the assistant can do what it can' },
    options: { '--url <url>': ['the URL of the service', 'http://127.0.0.1:1337'] },
    run: async (_: unknown, options: { readonly url: string; readonly token: string }) => {
      const { connectAssistant } = (await loadPackage('mcp', 'The command mcp')) as {
        readonly connectAssistant: (to: typeof options) => Promise<ExitCode>;
      };
      return connectAssistant(options);
    },
  },
  {
    name: 'preview-link',
    failure: 1,
    description: 'print a URL that shows one entry, also as a draft, for a limited time',
    arguments: {
      '<uid>': 'the content type, e.g. api::article.article',
      '[id]': 'the id of the entry; a single type needs none',
    },
    options: { '--for <time>': ['how long it is valid, e.g. 30m, 12h or 7d; at most 30d', '1h'] },
    run: async ([uid, id]: [string, string?], options: { readonly for: string }) => {
      const { printPreviewLink } = await import('./commands/preview-link/preview-link.js');
      return printPreviewLink(uid, id, options.for);
    },
  },
  {
    name: 'migrate',
    description: 'migrate the stored data to changed content types; without --apply it only reports the changes',
    options: {
      '--apply': ['change the data', false],
      '--drafts <what>':
        'where a type has drafts no longer: delete them, or publish; where it gets drafts: publish its entries, or keep them as drafts',
      '--json': json,
    },
    run: async (_: unknown, options: MigrateOptions) => {
      const { migrate } = await import('./commands/migrate/migrate.js');
      return runUntilSignal((stopping) => migrate(options, stopping));
    },
  },
  {
    name: 'check-data',
    description: 'check every storage rule on every entry',
    options: { '--json': json },
    run: async (_: unknown, options: { readonly json: boolean }) =>
      (await import('./commands/check-data/check-data.js')).checkData(options),
  },
  {
    name: 'doctor',
    exitCodes: 'doctor',
    description:
      'ask a database for everything that the service uses, in a database of its own, and report what it lacks',
    options: {
      '--uri <uri>': 'the MongoDB to ask; default: the database of the project in this folder',
      '--json': json,
    },
    run: async (_: unknown, options: DoctorOptions) => (await import('./commands/doctor/doctor.js')).doctor(options),
  },
  { name: 'generate', description: 'write the definition file of a content type or component' },
  {
    name: 'generate type',
    failure: 1,
    description: 'a content type; asks for missing arguments',
    arguments: {
      '[name]': 'in the singular, e.g. article or blog-post',
      '[attributes...]': 'e.g. title:string!',
    },
    options: {
      '--plural <name>': 'the plural name, if it is irregular',
      '--single': 'a single type, with one entry only, like a homepage',
      '--drafts': 'entries are drafts before they are published',
    },
    examples,
    run: async ([name, attributes]: [string | undefined, readonly string[]], options: object) =>
      (await import('./commands/generate/generate.js')).generate({ kind: 'type', name, attributes, ...options }),
  },
  {
    name: 'generate component',
    failure: 1,
    description: 'a component; asks for missing arguments',
    arguments: { '[name]': 'a category and a name, e.g. shared.seo', '[attributes...]': 'e.g. metaTitle:string!' },
    examples,
    run: async ([name, attributes]: [string | undefined, readonly string[]]) =>
      (await import('./commands/generate/generate.js')).generate({ kind: 'component', name, attributes }),
  },
  {
    name: 'add',
    description: 'install packages of Content Service beside the service: as it was installed, and in its version',
    arguments: { '<names...>': 'the packages, e.g. strapi5 mcp' },
    failure: 1,
    run: async ([names]: [readonly string[]]) => (await import('./commands/add/add.js')).add(names),
  },
  {
    name: 'inspect',
    description: 'report which code of a Strapi v4 project runs and which is not supported, without starting it',
    arguments: { '[project]': 'the folder of the project; default: CONTENT_TYPES, otherwise this folder' },
    options: { '--all': 'a line for each place, in place of one for each kind', '--json': json },
    exitCodes: 'inspect',
    run: async ([project]: [string?], options: { readonly all: boolean; readonly json: boolean }) =>
      (await import('./commands/inspect/inspect.js')).inspect(project, options),
  },
];
