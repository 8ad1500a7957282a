/**
 * Makes a fresh clone startable: checks Node, installs the locked packages, builds. `npm start` and `npm test` begin
 * with it, so it does, and says, only what is missing. Plain Node: nothing is installed yet when it runs.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE = [20, 19];
const DOT_MS = 2000;
const project = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const at = (...names) => path.join(project, ...names);
const lockFile = at('package-lock.json');
const installedFile = at('node_modules', '.package-lock.json');
const installStamp = at('node_modules', '.setup');
const buildStamp = at('dist', '.setup');

checkNode(process.versions.node);
const sources = describeSources();
const building = sources !== undefined && sources !== read(buildStamp);
const event = process.env.npm_lifecycle_event;
if (event === 'prepare') {
  // Npm has just installed: it builds for those who install from a Git URL. Without the compiler it is not for
  // building.
  if (building && fs.existsSync(at('node_modules', 'esbuild'))) await build(sources);
} else {
  if (!isInstalled(building || event === 'pretest')) await install();
  // The installation may have built already.
  if (building && sources !== read(buildStamp)) await build(sources);
  // The service counts from here on how long its start takes.
  performance.mark('set up');
}

function checkNode(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major > NODE[0] || (major === NODE[0] && minor >= NODE[1])) return;
  stop(`Node ${NODE.join('.')} or newer is needed, this is ${version}: see https://nodejs.org/en/download`);
}

/**
 * Are all packages of the lock file there? Once they were, the times of both files are remembered; when one changed,
 * the contents decide: after `git clone` or `git checkout` the times alone say nothing.
 */
function isInstalled(withDevelopment) {
  const complete = `${describe(lockFile)} ${describe(installedFile)}`;
  if (read(installStamp) === complete) return true;
  const installed = read(installedFile);
  if (installed === undefined) return false;
  const missing = findMissing(JSON.parse(fs.readFileSync(lockFile, 'utf8')).packages, JSON.parse(installed).packages);
  if (missing.length === 0) remember(installStamp, complete);
  return missing.every((locked) => locked.dev && !withDevelopment);
}

function findMissing(locked, installed) {
  const missing = ([name, { version, optional, devOptional }]) => {
    if (!name.includes('node_modules/')) return false; // packages of the project itself
    if (installed[name]) return installed[name].version !== version;
    return !optional && !devOptional; // packages for other systems are locked, but not installed
  };
  return Object.entries(locked)
    .filter(missing)
    .map(([, entry]) => entry);
}

/** Every file the build depends on, with size and time, as text; undefined where there is only a build. */
function describeSources() {
  if (!fs.existsSync(at('src'))) return undefined;
  const packages = fs.readdirSync(at('packages')).map((name) => path.join('packages', name, 'src'));
  const files = ['src', ...packages, 'scripts/playground', 'scripts/conformance'].flatMap((folder) =>
    fs.readdirSync(at(folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  );
  const paths = files.map((file) => path.join(file.parentPath ?? file.path, file.name));
  return [
    lockFile,
    at('tsconfig.json'),
    at('scripts', 'build.mjs'),
    at('scripts', 'packages.mjs'),
    at('scripts', 'version.mjs'),
    at('scripts', 'build-playground.mjs'),
    at('scripts', 'build-editor.mjs'),
    at('scripts', 'copy-swagger-ui.mjs'),
    ...paths.toSorted((one, other) => (one < other ? -1 : 1)),
  ]
    .map((file) => `${file} ${describe(file)}`)
    .join('\n');
}

function describe(file) {
  const stats = fs.statSync(file, { throwIfNoEntry: false });
  return stats ? `${stats.size} ${stats.mtimeMs}` : 'absent';
}

function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Notes what was found; where nothing can be written, the next start just looks again. */
function remember(file, text) {
  try {
    fs.writeFileSync(file, text);
  } catch {}
}

async function install() {
  const first = !fs.existsSync(installedFile);
  console.log(`Installing packages (${first ? 'first start' : 'package-lock.json changed'})…`);
  const npm = process.env.npm_execpath ?? '';
  // With NODE_ENV=production npm would leave out the compiler.
  const options = ['ci', '--include=dev', '--include=optional', '--loglevel=error'];
  const endDots = showDots();
  const status = npm.endsWith('npm-cli.js')
    ? await run(process.execPath, [npm, ...options])
    : await run('npm', options);
  endDots();
  if (status !== 0) stop('The packages could not be installed; see the messages of npm above.');
}

/** Shows now and then that npm still works; on a terminal npm does that. Returns what ends it. */
function showDots() {
  if (process.stderr.isTTY) return () => {};
  let shown = false;
  const timer = setInterval(() => {
    shown = true;
    process.stdout.write('.');
  }, DOT_MS);
  return () => {
    clearInterval(timer);
    if (shown) process.stdout.write('\n');
  };
}

async function build(sources) {
  console.log('Building…');
  if ((await run(process.execPath, [at('scripts', 'build.mjs')])) !== 0)
    stop('The build failed; see the messages above.');
  remember(buildStamp, sources);
}

async function run(command, args) {
  const { spawn } = await import('node:child_process'); // slow to load, and mostly not needed
  const shell = process.platform === 'win32' && command === 'npm';
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: project, stdio: 'inherit', shell });
    child.once('error', () => resolve(undefined)).once('close', resolve);
  });
}

function stop(reason) {
  console.error(reason);
  process.exit(1);
}
