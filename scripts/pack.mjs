/**
 * `npm run pack` builds, and writes the packages to the folder `release`: the service and its client, with the version of this commit.
 * `node scripts/pack.mjs <folder>` writes only the service, as it is built, to a folder, and prints the name of the file.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const project = path.dirname(import.meta.dirname);
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  const target = path.join(project, 'release');
  fs.rmSync(target, { recursive: true, force: true });
  fs.mkdirSync(target);
  run(project, process.execPath, path.join(project, 'scripts', 'build.mjs'));
  console.log(path.join('release', packService(target)));
  console.log(path.join('release', pack(path.join(project, 'dist', 'client'), target)));
} else {
  fs.mkdirSync(folder, { recursive: true });
  console.log(packService(path.resolve(folder)));
}

/** Npm names a file after the version of `package.json`, so it packs a copy that has the version of the build. */
function packService(target) {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'content-service-pack-'));
  try {
    const [{ files }] = JSON.parse(run(project, 'npm', 'pack', '--dry-run', '--json', '--ignore-scripts'));
    for (const { path: name } of files) fs.cpSync(path.join(project, name), path.join(copy, name));
    const { version } = JSON.parse(fs.readFileSync(path.join(project, 'dist', 'version.json'), 'utf8'));
    const manifest = JSON.parse(fs.readFileSync(path.join(project, 'package.json'), 'utf8'));
    fs.writeFileSync(path.join(copy, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
    return pack(copy, target);
  } finally {
    fs.rmSync(copy, { recursive: true });
  }
}

function pack(source, target) {
  return run(source, 'npm', 'pack', '--ignore-scripts', '--pack-destination', target).trim().split('\n').at(-1);
}

function run(cwd, command, ...args) {
  const shell = process.platform === 'win32' && command === 'npm';
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, shell, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) {
    console.error(`${stdout}${stderr}`);
    process.exit(1);
  }
  return stdout;
}
