import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { notRun } from './not-run.js';
import { fits, readPage } from './read-page.js';

export interface Project {
  readonly folder: string;
  /** Starts the service of the page; returns its URL. */
  readonly start: () => Promise<string>;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface PageOptions {
  /** The service runs before the first command. */
  readonly started?: boolean;
  /** All files are written before the first command. */
  readonly filesFirst?: boolean;
  /** Replacements in commands: other paths, smaller sizes. */
  readonly instead?: Readonly<Record<string, string>>;
}

const root = process.cwd();
const address = 'http://localhost:1337';
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const starting = /^(?:npm start|npx content-service start)$/;

/**
 * Runs the steps of a page in order, in the folder of a project. Returns the differences, and the number of commands
 * that ran.
 */
export async function runPage(
  page: string,
  project: Project,
  { started = false, filesFirst = false, instead = {} }: PageOptions = {},
): Promise<{ wrong: readonly string[]; ran: number }> {
  const wrong: string[] = [];
  let [ran, url, printed, last] = [0, address, '', ''];
  if (started) url = await project.start();
  const steps = readPage(page);
  const inOrder = filesFirst ? steps.toSorted((one, other) => rank(one.kind) - rank(other.kind)) : steps;
  for (const [index, step] of inOrder.entries()) {
    if (step.kind === 'file') {
      const file = path.join(project.folder, step.path);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, step.text.replaceAll(address, url));
    } else if (step.kind === 'answer') {
      if (!isAsShown(step.text, printed)) wrong.push(`${last}\n${printed}`);
    } else {
      for (const [at, command] of step.commands.entries()) {
        if (Object.hasOwn(notRun, command)) continue;
        ran += 1;
        last = command;
        if (starting.test(command)) url = await project.start();
        else {
          const replacements = Object.entries({ [address]: url, ...instead });
          const replaced = replacements.reduce(
            (text, [pattern, meaning]) => text.replaceAll(pattern, meaning),
            command,
          );
          const isShown = at === step.commands.length - 1 && inOrder[index + 1]?.kind === 'answer';
          // A command without a documented response must succeed.
          const executed = isShown ? replaced : replaced.replace(/^curl /, 'curl --fail-with-body ');
          const { exit, stdout, stderr } = await run(executed, project);
          printed = stdout;
          if (exit !== 0) wrong.push(`${replaced}\n${exit}: ${stdout}${stderr}`);
        }
      }
    }
  }
  return { wrong, ran };
}

const rank = (kind: string): number => (kind === 'file' ? 0 : 1);

function isAsShown(pattern: string, printed: string): boolean {
  if (!/^[[{]/.test(pattern)) return asPattern(withoutValues(pattern)).test(withoutValues(printed));
  try {
    return fits(JSON.parse(pattern), JSON.parse(printed));
  } catch {
    return false;
  }
}

/** What differs in each run: a page shows one of its values. */
const ofEachRun = [
  /^Database: .+$/gm,
  /(?<= in )\d+ s \([\d,]+ a second\)/g,
  /(?<=no violations )\(.+\)/g,
  /http:\/\/localhost:\d+/g,
  /(?<=\w_)[0-9a-f]{10}(?=\.)/g,
];
const withoutValues = (text: string): string =>
  ofEachRun.reduce((rest, pattern) => rest.replaceAll(pattern, '…'), text.trim());

/** A pattern for plain text; `…` matches anything in a line. */
const asPattern = (text: string): RegExp =>
  new RegExp(`^${text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll('…', '.*')}$`);

/** The path of a file of this repository, as a word of a shell. */
const own = (...names: readonly string[]): string => `'${path.join(root, ...names).replaceAll("'", String.raw`'\''`)}'`;

/** Replaces the commands of a page by programs of this repository. */
export const asOwn = (command: string): string =>
  command
    .replaceAll(/npx content-service\b/g, () => `node ${own('bin/content-service.mjs')}`)
    .replaceAll(/npm run (?:-s )?(\S+)(?: --)?/g, (_, name: string) => scripts[name] ?? `no script ${name}`)
    .replaceAll(/(?<=[ =])(?:scripts|bin|tests)\/\S+/g, (file) => own(file))
    .replace(/\bnpx (tsc|jest)\b/, (_, name: string) => own('node_modules/.bin', name))
    .replace(/^curl /, 'curl --silent --show-error ');

/** Runs a command in a shell. */
async function run(
  command: string,
  { folder, environment = {} }: Project,
): Promise<{ exit: number | null; stdout: string; stderr: string }> {
  const child = spawn('bash', ['-c', asOwn(command)], { cwd: folder, env: { ...process.env, ...environment } });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
  const [exit] = (await once(child, 'close')) as [number | null];
  return { exit, stdout, stderr };
}
