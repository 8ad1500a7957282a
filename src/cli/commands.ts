import type { Command } from 'commander';
import { isUnderNpm } from '../config/system.js';
import { runUntilSignal } from '../server/shutdown-signal.js';
import type { CompareOptions } from './commands/compare/compare.js';
import type { ImportOptions } from './commands/import/import.js';
import type { MigrateOptions } from './commands/migrate/migrate.js';
import type { SeedOptions } from './commands/seed/seed.js';
import type { TypesOptions } from './commands/types/types.js';

/** Takes the exit code of a command that has ended: 0 done, 1 partly refused, 2 failed, 130 interrupted. */
type Finish = (exit: number) => void;

/**
 * Adds a command with its arguments and options to the program. The modules of the command are imported when it runs, so that
 * `--help` loads nothing else.
 */
type Register = (program: Command, finish: Finish) => void;

/** The description of `--json`, which all commands with a result share. */
const jsonOption = ['--json', 'print the result as JSON on stdout, and everything else on stderr'] as const;

const registerInit: Register = (program, finish) => {
  program
    .command('init')
    .description('write a new project into an empty folder: content type, access, settings, a test, container files')
    .argument('<folder>', 'is created if it does not exist')
    .option('--type <name>', 'the first content type, in the singular; prompted for on a terminal', undefined)
    .option(
      '--package <spec>',
      'what package.json names as this package; default: the file that it was installed from, or its version',
    )
    .option('--yes', 'use the defaults for all missing arguments')
    .action(
      async (
        folder: string,
        options: { readonly type?: string; readonly package?: string; readonly yes?: boolean },
      ) => {
        const { init } = await import('./commands/init/init.js');
        finish(await init(folder, options));
      },
    );
};

const registerDev: Register = (program) => {
  program
    .command('dev')
    .description('start the service, and restart it when content types, config/ or extensions/ change')
    .action(async () => {
      const { develop } = await import('./commands/dev/dev.js');
      await develop();
    });
};

const registerSeed: Register = (program, finish) => {
  program
    .command('seed')
    .description('create entries from a file, an image or a folder')
    .argument('<place>', 'a .json or .ndjson file, an image, or a folder of these')
    .option('--reset', 'first delete all entries of the types that the files name', false)
    .option('--yes', 'do not ask before deleting', false)
    .option(...jsonOption, false)
    .action(async (location: string, options: Omit<SeedOptions, 'location'>) => {
      const { seed } = await import('./commands/seed/seed.js');
      finish(await runUntilSignal(isUnderNpm(), (stopping) => seed({ location, ...options }, stopping)));
    });
};

const registerExport: Register = (program, finish) => {
  program
    .command('export')
    .description('write all data to an archive that import reads; a running service keeps running')
    .argument('[file]', 'default: export-<time>.tar.gz in this folder')
    .option(...jsonOption, false)
    .action(async (file: string | undefined, { json }: { readonly json: boolean }) => {
      const { runExport } = await import('./commands/export/export.js');
      finish(await runUntilSignal(isUnderNpm(), (stopping) => runExport({ file, json }, stopping)));
    });
};

const registerImport: Register = (program, finish) => {
  program
    .command('import')
    .description('restore an archive of export, or import an export of Strapi v4 or the MongoDB of Strapi v3')
    .argument('[archive]', 'the archive, or the folder of a mongodump of Strapi v3')
    .option('--key <password>', 'the password of an encrypted archive')
    .option('--from <uri>', 'the MongoDB of a Strapi v3 project; it is only read')
    .option('--models <folder>', 'the project folder of Strapi v3, which contains the models')
    .option('--accept-differences', 'skip attributes and types that the content types do not have', false)
    .option('--remove-others', 'first remove entries that are not in the archive', false)
    .option(...jsonOption, false)
    .action(async (archive: string | undefined, options: Omit<ImportOptions, 'archive'>) => {
      const { runImport } = await import('./commands/import/import.js');
      finish(await runUntilSignal(isUnderNpm(), (stopping) => runImport({ archive, ...options }, stopping)));
    });
};

const registerCompare: Register = (program, finish) => {
  program
    .command('compare')
    .description(
      'send the GET requests of a log to a running Strapi v4 and to this service, and report the differences',
    )
    .requiredOption('--reference <url>', 'the URL of Strapi v4')
    .requiredOption('--requests <file>', 'an access log, a HAR file, or a list of paths')
    .option('--ours <url>', 'the URL of this service', 'http://127.0.0.1:1337')
    .option('--reference-token <token>', 'sent to Strapi as Authorization: Bearer …')
    .option('--token <token>', 'sent to this service; default: the same token')
    .option(...jsonOption, false)
    .action(async (options: CompareOptions) => {
      const { compare } = await import('./commands/compare/compare.js');
      finish(await compare(options));
    });
};

/** A command whose arguments a plugin describes and parses, e.g. `access role list`. @param before what comes before the arguments */
const registerOfPlugins =
  (name: string, description: string, ...before: readonly string[]): Register =>
  (program, finish) => {
    program
      .command(name)
      .description(`${description}; see \`${name} --help\``)
      .argument('[args...]')
      .allowUnknownOption()
      .helpOption(false)
      .action(async (args: readonly string[]) => {
        const { access } = await import('./commands/access/access.js');
        finish(await access([...before, ...args]));
      });
  };

const registerTypes: Register = (program, finish) => {
  program
    .command('types')
    .description('write the content types as TypeScript, for content-service/client')
    .option('--out <file>', 'the file to write; default: standard output')
    .option('--client <package>', 'the package that the types are for', 'content-service/client')
    .option('--role <role>', 'what a role of access.json sees and writes; default: everything')
    .option('--url <url>', 'the URL of a running service; default: the project in this folder')
    .option('--token <token>', 'an API token for --url; not needed for a service in development on this machine')
    .action(async (options: TypesOptions) => {
      const { writeTypes } = await import('./commands/types/types.js');
      finish(await writeTypes(options));
    });
};

const registerPreviewLink: Register = (program, finish) => {
  program
    .command('preview-link')
    .description('print a URL that shows one entry, also as a draft, for a limited time')
    .argument('<uid>', 'the content type, e.g. api::article.article')
    .argument('[id]', 'the id of the entry; a single type needs none')
    .option('--for <time>', 'how long it is valid, e.g. 30m, 12h or 7d; at most 30d', '1h')
    .action(async (uid: string, id: string | undefined, options: { readonly for: string }) => {
      const { printPreviewLink } = await import('./commands/preview-link/preview-link.js');
      finish(await printPreviewLink(uid, id, options.for));
    });
};

const registerMigrate: Register = (program, finish) => {
  program
    .command('migrate')
    .description('migrate the stored data to changed content types; without --apply it only reports the changes')
    .option('--apply', 'change the data', false)
    .option(...jsonOption, false)
    .action(async (options: MigrateOptions) => {
      const { migrate } = await import('./commands/migrate/migrate.js');
      finish(await runUntilSignal(isUnderNpm(), (stopping) => migrate(options, stopping)));
    });
};

const registerCheckData: Register = (program, finish) => {
  program
    .command('check-data')
    .description('check every storage rule on every entry')
    .option(...jsonOption, false)
    .action(async (options: { readonly json: boolean }) => {
      const { checkData } = await import('./commands/check-data/check-data.js');
      finish(await checkData(options));
    });
};

const examples = `
Write attributes as name:type[:option], with ! for required attributes:
  title:string!  kind:enumeration:essay,note  slug:uid:title  cover:media  gallery:media:multiple
  author:manyToOne:author  tags:manyToMany:tag  seo:component:shared.seo  links:components:shared.link
  blocks:dynamiczone:blocks.text,blocks.quote`;

/** `generate type` and `generate component`. */
const registerGenerate: Register = (program, finish) => {
  const generate = program.command('generate').description('write the definition file of a content type or component');
  interface Options {
    readonly plural?: string;
    readonly single?: boolean;
    readonly drafts?: boolean;
  }
  const action =
    (kind: 'type' | 'component') =>
    async (name: string | undefined, attributes: readonly string[], options: Options): Promise<void> => {
      const { generate } = await import('./commands/generate/generate.js');
      finish(await generate({ kind, name, attributes, ...options }));
    };
  generate
    .command('type')
    .description('a content type; asks for missing arguments')
    .argument('[name]', 'in the singular, e.g. article or blog-post')
    .argument('[attributes...]', 'e.g. title:string!')
    .option('--plural <name>', 'the plural name, if it is irregular')
    .option('--single', 'a single type, with one entry only, like a homepage')
    .option('--drafts', 'entries are drafts before they are published')
    .addHelpText('after', examples)
    .action(action('type'));
  generate
    .command('component')
    .description('a component; asks for missing arguments')
    .argument('[name]', 'a category and a name, e.g. shared.seo')
    .argument('[attributes...]', 'e.g. metaTitle:string!')
    .addHelpText('after', examples)
    .action(action('component'));
};

const registerInspect: Register = (program, finish) => {
  program
    .command('inspect')
    .description('report which code of a Strapi v4 project runs and which is not supported, without starting it')
    .argument('[project]', 'the folder of the project; default: CONTENT_TYPES, otherwise this folder')
    .option(...jsonOption, false)
    .action(async (project: string | undefined, options: { readonly json: boolean }) => {
      const { inspect } = await import('./commands/inspect/inspect.js');
      finish(await inspect(project, options));
    });
};

/** In the order of `--help`. */
export const commands: readonly Register[] = [
  registerInit,
  registerDev,
  registerSeed,
  registerExport,
  registerImport,
  registerCompare,
  registerOfPlugins('access', 'list and change roles, API tokens and users'),
  registerOfPlugins('schedule', 'publish and unpublish entries at a time', 'schedule'),
  registerOfPlugins('webhooks', 'list, add, test and remove webhooks and look at deliveries', 'webhooks'),
  registerTypes,
  registerPreviewLink,
  registerMigrate,
  registerCheckData,
  registerGenerate,
  registerInspect,
];
