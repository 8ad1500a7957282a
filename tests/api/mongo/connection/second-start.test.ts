import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';

/** Says when the process ends which packages it has loaded: those that are not ES modules, as all of these. */
const tellPackages = `import { createRequire } from 'node:module';
process.on('exit', () => console.error(Object.keys(createRequire('file:///').cache).join('\\n')));`;
/** Packages that only some requests need. */
const onDemand = ['ajv', 'bcrypt', 'grant', 'graphql', 'jsonwebtoken', 'multer', 'nexus', 'nodemailer', 'sharp'];

/** Starts the built service in a project, reads a list, and stops it. Gives the packages that it has loaded. */
async function startAndRead(project: string, environment: NodeJS.ProcessEnv): Promise<ReadonlySet<string>> {
  const hook = `data:text/javascript,${encodeURIComponent(tellPackages)}`;
  const service = spawn(process.execPath, ['--import', hook, path.resolve('dist/main.js')], {
    cwd: project,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = text(service.stderr);
  for await (const line of createInterface({ input: service.stdout })) {
    const url = /Ready on (http[^\s"]+)/.exec(line)?.[1];
    if (url === undefined) continue;
    expect((await fetch(`${url}/api/articles`)).status).toBe(200);
    break;
  }
  const ended = once(service, 'exit');
  service.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  const names = (await output).matchAll(/.*\/node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)/g);
  return new Set([...names].map(({ groups }) => String(groups?.['name'])));
}

test('a second start and a list load no package that only other requests need', async () => {
  const project = fs.mkdtempSync(path.join(os.tmpdir(), 'second-start-'));
  const uri = process.env['TEST_MONGODB_URI'] ?? '';
  const environment = {
    ...process.env,
    MONGODB_URI: uri,
    DATABASE_NAME: `test_second_start_${process.pid}`,
    CONTENT_TYPES: path.resolve('content-types'),
    NODE_ENV: 'production',
    JWT_SECRET: 'only-for-this-test',
    API_TOKEN_SALT: 'salt-only-for-this-test',
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'info',
  };
  try {
    const first = await startAndRead(project, environment);
    expect([...first]).toEqual(expect.arrayContaining(['ajv', 'express', 'mongodb']));
    const second = await startAndRead(project, environment);
    expect([...second]).toEqual(expect.arrayContaining(['express', 'mongodb']));
    expect(onDemand.filter((name) => second.has(name))).toEqual([]);
  } finally {
    fs.rmSync(project, { recursive: true });
    const client = await MongoClient.connect(uri);
    await client.db(environment.DATABASE_NAME).dropDatabase();
    await client.close();
  }
});
