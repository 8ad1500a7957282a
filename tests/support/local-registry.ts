import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** What a registry knows of a version: what npm reads, and where its files are. */
interface Version {
  readonly manifest: { readonly name: string; readonly version: string };
  /** A packed file, or an installed folder. */
  readonly place: string;
}

interface Registry {
  readonly url: string;
  /** Adds packed files. */
  publish(files: readonly string[]): void;
  stop(): Promise<void>;
}

/**
 * A registry of npm with what is installed in this repository: so npm installs as it does for users, without a network.
 * It has no packages for other systems, which are optional.
 */
export async function startRegistry(): Promise<Registry> {
  const versions = new Map<string, Version[]>();
  const take = (added: readonly Version[]): void => {
    for (const version of added) {
      const { name } = version.manifest;
      versions.set(name, [...(versions.get(name) ?? []), version]);
    }
  };
  take(installed());
  const server = http.createServer((request, response) => {
    const [name = '', file] = decodeURIComponent(request.url ?? '')
      .slice(1)
      .split('/-/');
    const found = versions.get(name) ?? [];
    if (found.length === 0) return void response.writeHead(404).end('{}');
    if (file !== undefined) {
      const version = found.find(({ manifest }) => file === fileOf(manifest));
      return version === undefined ? void response.writeHead(404).end() : sendPacked(version.place, response);
    }
    const rows = found.map(({ manifest }) => {
      const dist = { tarball: `${url}/${name}/-/${fileOf(manifest)}` };
      return [manifest.version, { ...manifest, dist }] as const;
    });
    return void response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ name, 'dist-tags': { latest: rows.at(-1)?.[0] }, versions: Object.fromEntries(rows) }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    publish: (files) => take(files.map(packed)),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const fileOf = ({ name, version }: Version['manifest']): string => `${name.replace(/^.*\//, '')}-${version}.tgz`;

function installed(): readonly Version[] {
  const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8')) as { readonly packages: object };
  return Object.keys(packages)
    .filter((place) => place.startsWith('node_modules/') && fs.existsSync(path.join(place, 'package.json')))
    .map((place) => ({
      place,
      manifest: JSON.parse(fs.readFileSync(path.join(place, 'package.json'), 'utf8')) as Version['manifest'],
    }))
    .filter(({ manifest }) => !/^(?:@content-service\/|content-service$)/.test(manifest.name));
}

function packed(file: string): Version {
  const { stdout } = spawnSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' });
  return { place: file, manifest: JSON.parse(stdout) as Version['manifest'] };
}

function sendPacked(place: string, response: http.ServerResponse): void {
  if (place.endsWith('.tgz')) return void fs.createReadStream(place).pipe(response);
  const options = ['--exclude', './node_modules', '--transform', String.raw`s,^\.,package,`];
  spawn('tar', ['-I', 'gzip -1', '-cf', '-', ...options, '-C', place, '.']).stdout.pipe(response);
}
