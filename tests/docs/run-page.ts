import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fits, readPage } from './read-page.js';

interface Project {
  readonly folder: string;
  /** Starts what the page starts; gives where it listens. */
  readonly start: () => Promise<string>;
  readonly environment?: Readonly<Record<string, string>>;
}

const root = process.cwd();
const address = 'http://localhost:1337';

/** What a test leaves out: `tests/cli/package.test.ts` installs the package. */
const skipped = [/^npm (?:init|install|pkg) /];
const starting = /^(?:npm start|npx content-service start)$/;

/** Does all that a page shows, in order, in the folder of a project. Gives what was not as it is shown, and how many commands ran. */
export async function runPage(page: string, project: Project): Promise<{ wrong: readonly string[]; ran: number }> {
  const wrong: string[] = [];
  let [ran, url, printed, last] = [0, address, '', ''];
  for (const step of readPage(page)) {
    if (step.kind === 'file') {
      const file = path.join(project.folder, step.path);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, step.text.replaceAll(address, url));
    } else if (step.kind === 'answer') {
      if (!isShown(step.text, printed)) wrong.push(`${last}\n${printed}`);
    } else {
      for (const command of step.commands) {
        if (skipped.some((pattern) => pattern.test(command))) continue;
        ran += 1;
        last = command;
        if (starting.test(command)) url = await project.start();
        else {
          const { exit, stdout, stderr } = await run(command.replaceAll(address, url), project);
          printed = stdout;
          if (exit !== 0) wrong.push(`${command}\n${exit}: ${stdout}${stderr}`);
        }
      }
    }
  }
  return { wrong, ran };
}

function isShown(shown: string, printed: string): boolean {
  if (!/^[[{]/.test(shown)) return shown.trim() === printed.trim();
  try {
    return fits(JSON.parse(shown), JSON.parse(printed));
  } catch {
    return false;
  }
}

/** Runs a command as a shell does, with the programs of this repository. */
async function run(
  command: string,
  { folder, environment = {} }: Project,
): Promise<{ exit: number | null; stdout: string; stderr: string }> {
  const own = command
    .replace(/^npx content-service /, `node ${path.join(root, 'bin/content-service.mjs')} `)
    .replace(/^npx tsc /, `${path.join(root, 'node_modules/.bin/tsc')} `)
    .replace(/^curl /, 'curl --silent --show-error ');
  const child = spawn('bash', ['-c', own], { cwd: folder, env: { ...process.env, ...environment } });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
  const exit = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { exit, stdout, stderr };
}
