import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface Manifest {
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: object;
  readonly optionalDependencies?: object;
}

/**
 * Packs packages for publication, and installs them as dependencies of a project, as npm would: with their dependencies
 * beside them, which are those of this repository, as a registry may be slow or away.
 * @returns the file of each package, in the folder of the project
 */
export function installPacked(folder: string, names: readonly string[]): readonly string[] {
  const packed = run('.', process.execPath, 'scripts/pack.mjs', folder, ...names);
  const files = packed.trim().split('\n');
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  mkdirSync(path.join(folder, 'node_modules'));
  const resolved = names.map((name, i) => [`node_modules/${name}`, { resolved: `file:${files[i]}` }] as const);
  const record = { packages: Object.fromEntries(resolved) };
  writeFileSync(path.join(folder, 'node_modules/.package-lock.json'), JSON.stringify(record));
  for (const [i, name] of names.entries()) install(folder, name, files[i] ?? '');
  return files;
}

function install(folder: string, name: string, tarball: string): void {
  const installed = path.join(folder, 'node_modules', name);
  mkdirSync(installed, { recursive: true });
  run(folder, 'tar', '-xzf', tarball, '-C', installed, '--strip-components=1');
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as Manifest;
  const needed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  for (const one of needed.filter((other) => existsSync(path.join('node_modules', other)))) {
    link(path.resolve('node_modules', one), path.join(folder, 'node_modules', one));
  }
  for (const [program, file] of Object.entries(manifest.bin ?? {})) {
    chmodSync(path.join(installed, file), 0o755);
    link(path.join('..', name, file), path.join(folder, 'node_modules', '.bin', program));
  }
}

function link(target: string, place: string): void {
  if (existsSync(place)) return;
  mkdirSync(path.dirname(place), { recursive: true });
  symlinkSync(target, place);
}

function run(cwd: string, command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout + stderr);
  return stdout;
}
