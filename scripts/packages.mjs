/** The packages of this repository: the service at the top, and those of `packages/`. All have one version. */
import fs from 'node:fs';
import path from 'node:path';

/** Their folders; that of the service comes first. */
export function packageFolders(project) {
  const below = path.join(project, 'packages');
  return [
    project,
    ...fs
      .readdirSync(below)
      .toSorted()
      .map((name) => path.join(below, name)),
  ];
}

/** Links packages that came after npm has installed, as npm does it: a build needs no other installation for them. */
export function linkPackages(project) {
  const scope = path.join(project, 'node_modules', '@content-service');
  fs.mkdirSync(scope, { recursive: true });
  for (const folder of packageFolders(project).slice(1)) {
    const link = path.join(scope, path.basename(folder));
    if (!fs.existsSync(link)) fs.symlinkSync(path.relative(scope, folder), link, 'junction');
  }
}

/**
 * A `package.json`, or its part of the lock, in a version: its own, and that of the packages of this repository that it
 * names. A package runs with each service of its minor version.
 */
export function inVersion(manifest, version) {
  const renewed = { ...manifest, version };
  for (const key of ['peerDependencies', 'devDependencies']) {
    if (manifest[key] === undefined) continue;
    const entries = Object.entries(manifest[key]);
    renewed[key] = Object.fromEntries(
      entries.map(([name, spec]) => [name, isOwn(name) ? spec.replace(/^(\^?).*$/, `$1${version}`) : spec]),
    );
  }
  return renewed;
}

const isOwn = (name) => name === 'content-service' || name.startsWith('@content-service/');
