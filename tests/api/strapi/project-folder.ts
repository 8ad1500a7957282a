import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach } from '@jest/globals';
import { connectToUri } from '../../../src/mongo/connection/connect.js';

export interface Answered {
  readonly status: number;
  // Tests state what they expect of a body.
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any
}

const plural = (name: string): string => `${name.replace(/y$/, 'ie')}s`;

/** The schema of a collection type without drafts, as a file. */
export const schemaFile = (name: string, attributes: object): string =>
  JSON.stringify({
    kind: 'collectionType',
    collectionName: plural(name),
    info: { singularName: name, pluralName: plural(name), displayName: name },
    options: { draftAndPublish: false },
    attributes,
  });

const coreFile = (name: string, what: string): string =>
  `module.exports = require('@strapi/strapi').factories.createCore${what}('api::${name}.${name}');`;

/** The files of a content type with core routes, controller and service. */
export const apiFiles = (name: string, attributes: object): Readonly<Record<string, string>> => ({
  [`src/api/${name}/content-types/${name}/schema.json`]: schemaFile(name, attributes),
  [`src/api/${name}/routes/${name}.js`]: coreFile(name, 'Router'),
  [`src/api/${name}/controllers/${name}.js`]: coreFile(name, 'Controller'),
  [`src/api/${name}/services/${name}.js`]: coreFile(name, 'Service'),
});

/** A Strapi v4 project of some files that a process of the service runs: its code is loaded by Node, not by Jest. */
export interface RunningProject {
  readonly url: string;
  readonly folder: string;
  send(method: string, place: string, body?: object, token?: string): Promise<Answered>;
  fetch(place: string, options?: RequestInit): Promise<Response>;
  /** The CORS header for a page of this origin. */
  allowedOrigin(origin: string): Promise<string | null>;
  /** The output of the process so far. */
  output(): string;
  /** Waits until the process has printed a text: the log is written after the response. */
  printed(text: string): Promise<void>;
  stop(): Promise<void>;
}

let projects = 0;

/**
 * @param packages that are installed in the project: by names in this repository, or by folders
 * @param contentTypes the folder of the project in the one that the service runs in
 * @throws Error with the output of the process if it does not start
 */
export async function openProjectFolder(
  files: Readonly<Record<string, string>>,
  packages: readonly string[] = [],
  contentTypes = '.',
): Promise<RunningProject> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strapi-code-'));
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), content);
  }
  for (const name of packages) {
    const place = path.join(folder, 'node_modules', path.isAbsolute(name) ? path.basename(name) : name);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.symlinkSync(path.resolve('node_modules', name), place);
  }
  projects += 1;
  const database = `test_strapi_code_${process.pid}_${projects}`;
  const uri = process.env['TEST_MONGODB_URI'];
  const child = spawn(process.execPath, [path.resolve('dist/main.js')], {
    cwd: folder,
    env: {
      ...process.env,
      MONGODB_URI: uri,
      DATABASE_NAME: database,
      NODE_ENV: 'test',
      PORT: '0',
      CONTENT_TYPES: contentTypes,
    },
  });
  let output = '';
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
    fs.rmSync(folder, { recursive: true });
    const client = await connectToUri(uri ?? '');
    await client.db(database).dropDatabase();
    await client.close();
  };
  const ready = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk);
        const [, url] = /Ready on (http\S+?)["\s]/.exec(output) ?? [];
        if (url !== undefined) resolve(url);
      });
    }
  });
  const url = await Promise.race([ready, ended.then(() => undefined)]);
  if (url === undefined) {
    await stop();
    throw new Error(output);
  }
  return {
    url,
    folder,
    stop,
    output: () => output,
    printed: async (expected) => {
      while (!output.includes(expected)) await once(child.stdout, 'data');
    },
    fetch: (place, options) => fetch(`${url}${place}`, options),
    allowedOrigin: async (origin) => {
      const { headers } = await fetch(`${url}/api/notes`, { headers: { origin } });
      return headers.get('access-control-allow-origin');
    },
    send: async (method, place, body, token) => {
      const sent = body === undefined ? '' : JSON.stringify(body);
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(sent),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      };
      // Unlike fetch, it sends the path as it is written.
      const { hostname, port } = new URL(url);
      const sending = http.request({ hostname, port, path: place, method, headers }).end(sent);
      const [response] = (await once(sending, 'response')) as [http.IncomingMessage];
      const received = await text(response);
      const isJson = received.startsWith('{');
      return { status: response.statusCode ?? 0, body: isJson ? (JSON.parse(received) as unknown) : received };
    },
  };
}

/**
 * Starts projects of these files and others, with copies of these packages; the last one is stopped after each test.
 */
export function useProjects(
  base: Readonly<Record<string, string>>,
): (files: Readonly<Record<string, string>>, packages?: readonly string[]) => Promise<RunningProject> {
  let running: RunningProject | undefined;
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });
  return async (files, packages) => {
    running = await openProjectFolder({ ...base, ...files }, packages);
    return running;
  };
}
