import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Argument, Command, CommanderError } from 'commander';
import { packageFolder } from '../config/package-folder.js';
import { untilStopped } from '../process/until-stopped.js';
import { describeCompletion, shells, type Shell } from './completion.js';

const { version } = JSON.parse(readFileSync(path.join(packageFolder, 'package.json'), 'utf8')) as {
  readonly version: string;
};

const exitCodes = `
Exit codes: 0 done; 1 some of it was refused or is wrong; 2 it could not begin or go on; 130 stopped by Ctrl+C.
Settings are environment variables, or stand in the file .env of this folder.`;

const json = 'print the result as JSON, and all else to stderr';

/**
 * Does what the arguments ask for, on the project in this folder. What each command needs is loaded when it is called.
 * Gives the exit code; undefined while a service runs.
 */
export async function run(args: readonly string[]): Promise<number | undefined> {
  let exit: number | undefined = 0;
  const program = new Command('content-service')
    .description("Strapi v4's content API on MongoDB, for the content types in this folder.")
    .version(version)
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('(add --help to see what there is)')
    .addHelpText('afterAll', exitCodes);

  program
    .command('start')
    .description('start the service')
    .action(async () => {
      exit = undefined;
      await import('../main.js');
    });
  program
    .command('dev')
    .description('start it, and start it anew on every change of the content types, and of config/ and extensions/')
    .action(async () => {
      exit = undefined;
      const { develop } = await import('../dev/dev.js');
      await develop();
    });
  program
    .command('seed')
    .description('put entries in from a file, an image or a folder')
    .argument('<place>', 'a .json or .ndjson file, an image, or a folder of these')
    .option('--reset', 'first delete all entries of the types that the files name')
    .option('--yes', 'do not ask before that')
    .option('--json', json)
    .action(async () => {
      const { seed } = await import('../seed/seed.js');
      exit = await untilStopped(false, (stopping) => seed(args.slice(1), stopping));
    });
  program
    .command('export')
    .description('write all data into an archive that import takes; a running service goes on')
    .argument('[file]', 'default: export-<time>.tar.gz in this folder')
    .option('--json', json)
    .action(async () => {
      const { runExport } = await import('../export/export.js');
      exit = await untilStopped(false, (stopping) => runExport(args.slice(1), stopping));
    });
  program
    .command('import')
    .description(
      'bring back an archive of export, or move in what `strapi export` of Strapi v4 wrote, or Strapi v3 on MongoDB',
    )
    .argument('[archive]', 'the file, or a dump of Strapi v3')
    .option('--key <password>', 'of an encrypted archive')
    .option('--from <uri>', 'the MongoDB of a Strapi v3, which is only read')
    .option('--models <folder>', 'of the project of Strapi v3')
    .option('--accept-differences', 'leave out what the content types do not have')
    .option('--remove-others', 'first remove entries that are not in the archive')
    .option('--json', json)
    .action(async () => {
      const { runImport } = await import('../import/import.js');
      exit = await untilStopped(false, (stopping) => runImport(args.slice(1), stopping));
    });
  program
    .command('compare')
    .description('send the GET requests of a log to a running Strapi v4 and to this service; tells what differs')
    .requiredOption('--reference <url>', 'the Strapi v4')
    .requiredOption('--requests <file>', 'an access log, a HAR file, or a list of paths')
    .option('--ours <url>', 'this service; default http://127.0.0.1:1337')
    .option('--reference-token <token>', 'sent there as Authorization: Bearer …')
    .option('--token <token>', 'sent here; default: the same')
    .option('--json', json)
    .action(async () => {
      const { compare } = await import('../compare/compare.js');
      exit = await compare(args.slice(1));
    });
  program
    .command('access')
    .description('list and change roles, API tokens and users; `access --help` lists what there is')
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async () => {
      const { access } = await import('../access/access.js');
      exit = await access(args.slice(1));
    });
  program
    .command('types')
    .description('write the content types down as TypeScript, for content-service/client')
    .option('--out <file>', 'where to; without it, to standard output')
    .action(async ({ out }: { readonly out?: string }) => {
      const { writeTypes } = await import('../types/types.js');
      exit = await writeTypes(out);
    });
  program
    .command('migrate')
    .description('bring the stored data to changed content types; tells what it would do')
    .option('--apply', 'do it')
    .option('--json', json)
    .action(async () => {
      const { migrate } = await import('../migrate/migrate.js');
      exit = await untilStopped(false, (stopping) => migrate(args.slice(1), stopping));
    });
  program
    .command('check-data')
    .description('check every rule of the storage on every entry')
    .option('--json', json)
    .action(async () => {
      const { checkData } = await import('../check-data.js');
      exit = await checkData(args.slice(1));
    });
  addGenerate(program, (code) => {
    exit = code;
  });
  program
    .command('completion')
    .description('print what makes a shell complete commands and options')
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText('after', whereToPut)
    .action((shell: Shell) => {
      process.stdout.write(describeCompletion(program, shell));
    });

  try {
    await program.parseAsync([...args], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

const whereToPut = `
Put it where the shell finds it:
  bash    echo 'eval "$(content-service completion bash)"' >> ~/.bashrc
  zsh     echo 'eval "$(content-service completion zsh)"' >> ~/.zshrc
  fish    content-service completion fish > ~/.config/fish/completions/content-service.fish`;

const examples = `
Attributes are written name:type, with what the type takes behind a second colon, and ! for required:
  title:string!  kind:enumeration:essay,note  slug:uid:title  cover:media  gallery:media:multiple
  author:manyToOne:author  tags:manyToMany:tag  seo:component:shared.seo  links:components:shared.link
  blocks:dynamiczone:blocks.text,blocks.quote`;

/** `generate type` and `generate component`. */
function addGenerate(program: Command, done: (exit: number) => void): void {
  const generate = program.command('generate').description('write the definition file of a content type or component');
  interface Options {
    readonly plural?: string;
    readonly single?: boolean;
    readonly drafts?: boolean;
  }
  const action =
    (kind: 'type' | 'component') =>
    async (name: string | undefined, attributes: readonly string[], options: Options): Promise<void> => {
      const { generate } = await import('../generate/generate.js');
      done(await generate({ kind, name, attributes, ...options }));
    };
  generate
    .command('type')
    .description('a content type; asks for what is not given')
    .argument('[name]', 'in the singular, e.g. article or blog-post')
    .argument('[attributes...]', 'e.g. title:string!')
    .option('--plural <name>', 'where it is not the usual one')
    .option('--single', 'there is one entry only, like a homepage')
    .option('--drafts', 'entries are drafts before they are published')
    .addHelpText('after', examples)
    .action(action('type'));
  generate
    .command('component')
    .description('a component; asks for what is not given')
    .argument('[name]', 'a category and a name, e.g. shared.seo')
    .argument('[attributes...]', 'e.g. metaTitle:string!')
    .addHelpText('after', examples)
    .action(action('component'));
}
