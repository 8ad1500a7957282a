/**
 * `npm run pack` builds, and writes the service and the packages of `packages/` to the folder `release`, with the
 * version of this commit. `node scripts/pack.mjs <folder> [package…]` writes those packages, or all, as they are built,
 * to a folder, and prints the names of the files.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inVersion, packageFolders } from './packages.mjs';

const project = path.dirname(import.meta.dirname);
const [folder, ...names] = process.argv.slice(2);
const packages = packageFolders(project).map((place) => ({
  place,
  manifest: JSON.parse(fs.readFileSync(path.join(place, 'package.json'), 'utf8')),
}));
if (folder === undefined) {
  const target = path.join(project, 'release');
  fs.rmSync(target, { recursive: true, force: true });
  fs.mkdirSync(target);
  run(project, process.execPath, path.join(project, 'scripts', 'build.mjs'));
  for (const one of packages) console.log(path.join('release', pack(one, target)));
} else {
  fs.mkdirSync(folder, { recursive: true });
  const wanted = names.length === 0 ? packages : packages.filter(({ manifest }) => names.includes(manifest.name));
  for (const one of wanted) console.log(pack(one, path.resolve(folder)));
}

/** Npm names a file after the version of `package.json`, so it packs a copy that has the version of the build. */
function pack({ place, manifest }, target) {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'content-service-pack-'));
  try {
    const [{ files }] = JSON.parse(run(place, 'npm', 'pack', '--dry-run', '--json', '--ignore-scripts'));
    for (const { path: name } of files) fs.cpSync(path.join(place, name), path.join(copy, name));
    const { version } = JSON.parse(fs.readFileSync(path.join(project, 'dist', 'version.json'), 'utf8'));
    const published = asPublished(inVersion(manifest, version), place);
    fs.writeFileSync(path.join(copy, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
    return run(copy, 'npm', 'pack', '--ignore-scripts', '--pack-destination', target).trim().split('\n').at(-1);
  } finally {
    fs.rmSync(copy, { recursive: true });
  }
}

/**
 * A manifest for whoever installs the package. It names the repository whose workflow packs it, without which npm
 * refuses its provenance.
 */
function asPublished(manifest, place) {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  const directory = path.relative(project, place).replaceAll(path.sep, '/');
  const repository = { type: 'git', url: `git+${server}/${name}.git`, ...(directory !== '' && { directory }) };
  // Npm would warn of scripts that run at an installation.
  const ofRepository = new Set(['scripts', 'devDependencies', 'workspaces', 'overrides']);
  const kept = Object.entries(manifest).filter(([key]) => !ofRepository.has(key));
  return { ...Object.fromEntries(kept), ...(name !== undefined && { repository }) };
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
