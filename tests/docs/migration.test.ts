import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { hashSync } from 'bcrypt';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import jsonwebtoken from 'jsonwebtoken';
import { connectToUri } from '../../src/mongo/connection/connect.js';
import { createTestService, type TestService } from '../../src/testing.js';
import { encrypt } from '../api/cli/import/make-archive.js';
import { collections, makeV3 } from '../api/cli/import/make-v3-dump.js';
import { corpus } from '../support/service.js';
import { readPage } from './read-page.js';
import { asOwn } from './run-page.js';

const archive = path.resolve('tests/fixtures/strapi-export/world.tar.gz');
const uri = process.env['TEST_MONGODB_URI'] ?? '';
/** The service stands in one folder, beside the Strapi project that moves. */
const root = mkdtempSync(path.join(os.tmpdir(), 'migration-'));
const [service, project] = ['service', 'my-strapi-project'].map((name) => path.join(root, name)) as [string, string];
const databases = ['v4', 'v3', 'large', 'from'].map((name) => `test_migration_${name}_${process.pid}`);
const [v4 = '', v3 = '', large = '', from = ''] = databases;

/** Every command that the page shows; those that a test has taken are gone. */
const commands = readPage(readFileSync('docs/migration.md', 'utf8')).flatMap((step) =>
  step.kind === 'commands' ? step.commands : [],
);

/** The command of the page that begins so. */
function commandOf(begin: string): string {
  const index = commands.findIndex((command) => command.startsWith(begin));
  expect(commands).toContainEqual(expect.stringMatching(`^${begin}`));
  return commands.splice(index, 1)[0] ?? '';
}

/** Runs a command in the folder of the service, with the programs of this repository. */
async function run(command: string, environment: Readonly<Record<string, string>>) {
  const env = { ...process.env, MONGODB_URI: uri, DATA_FOLDER: path.join(root, 'data'), ...environment };
  const child = spawn('bash', ['-c', asOwn(command)], { cwd: service, env });
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = (await ended) as [number | null];
  return { status, output: stdout + stderr };
}

const result = (status: number, line: string) => ({ status, output: expect.stringContaining(line) });

let moved: TestService;

beforeAll(() => {
  mkdirSync(service);
  for (const name of readdirSync(corpus, { recursive: true }) as string[]) {
    const [kind = '', ...component] = name.replace(/\.json$/, '').split(path.sep);
    const place = component.length === 0 ? ['api', kind, 'content-types', kind, 'schema'] : [kind, ...component];
    if (name.endsWith('.json')) cpSync(path.join(corpus, name), `${path.join(project, 'src', ...place)}.json`);
  }
});

afterAll(async () => {
  await moved.close();
  const client = await connectToUri(uri);
  for (const name of databases) await client.db(name).dropDatabase();
  await client.close();
  rmSync(root, { recursive: true });
});

describe('the six steps', () => {
  const environment: Record<string, string> = { DATABASE_NAME: v4 };

  test('1: strapi export writes the file name that step 3 imports', () => {
    // Strapi cannot run here: the archive is one that it wrote. It adds to the name what it does to the bytes.
    const [, name] = /^npx strapi export --file (\S+) --no-encrypt$/.exec(commandOf('npx strapi export')) ?? [];
    expect(commands).toContain(`npx content-service import ${name}.tar.gz`);
    cpSync(archive, path.join(service, `${name}.tar.gz`));
    cpSync(encrypt(archive, 'conformance-key'), path.join(service, `${name}.tar.gz.enc`));
  });

  test('2: the content types of a Strapi project are read unchanged', () => {
    const [, name = '', value = ''] = /^export (\w+)=(\S+)$/.exec(commandOf('export CONTENT_TYPES')) ?? [];
    environment[name] = value;
    expect(path.resolve(service, value)).toBe(project);
  });

  test('3: the archive is imported once, also if encrypted', async () => {
    const command = commandOf('npx content-service import export.tar.gz');
    expect(await run(command, environment)).toMatchObject(result(0, '176 stored'));
    expect(await run(`${command}.enc --key conformance-key`, environment)).toMatchObject(result(0, '0 stored'));
  });

  test('4: with the secrets of the Strapi project its logins and API tokens stay valid', async () => {
    for (const secret of ['JWT_SECRET', 'API_TOKEN_SALT']) {
      const [, name = ''] = /^export (\w+)=…$/.exec(commandOf(`export ${secret}=`)) ?? [];
      environment[name] = `${secret} of before`;
    }
    moved = await createTestService({ mongodbUri: uri, environment: { ...environment, CONTENT_TYPES: project } });
    const { url, entries } = moved;
    const user = await entries.findFirst('plugin::users-permissions.user', { filters: { username: 'bob' } });
    const jwt = jsonwebtoken.sign({ id: user?.id }, 'JWT_SECRET of before', { algorithm: 'HS256' });
    const me = await fetch(`${url}/api/users/me`, { headers: { authorization: `Bearer ${jwt}` } });
    expect(await me.json()).toMatchObject({ id: user?.id, username: 'bob' });

    // As Strapi keeps it.
    const accessKey = createHmac('sha512', 'API_TOKEN_SALT of before').update('key-of-before').digest('hex');
    await entries.create('admin::api-token', { name: 'of before', type: 'full-access', accessKey });
    const headers = { authorization: 'Bearer key-of-before' };
    expect((await fetch(`${url}/api/products`, { headers })).status).toBe(200);
  });

  test('5: check-data finds no violation', async () => {
    expect(await run(commandOf('npx content-service check-data'), environment)).toMatchObject(
      result(0, 'no violations'),
    );
  });

  test('6: compare finds equal responses for a log', async () => {
    writeFileSync(path.join(service, 'access.log'), '/api/products\n/api/articles?populate=*\n');
    const command = commandOf('npx content-service compare')
      .replace('https://cms.example.org', moved.url)
      .replace('http://127.0.0.1:1337', moved.url);
    const tokens = '--reference-token "key-of-before" --token "key-of-before"';
    expect(await run(`${command} ${tokens}`, environment)).toMatchObject(result(0, '2 equal responses, 0 different'));
    // It runs until it is stopped: tests/api/cli/shadow.test.ts.
    expect(commandOf('npx content-service shadow')).toContain('--reference https://cms.example.org');
  });
});

test('the way back writes an archive for strapi import', async () => {
  const environment = { DATABASE_NAME: v4, CONTENT_TYPES: project };
  // Strapi cannot run here: any archive that it wrote has its schemas.
  const [, like = ''] = /--file (\S+)/.exec(commandOf('npx strapi export')) ?? [];
  cpSync(archive, path.join(service, `${like}.tar.gz`));
  const dry = commandOf('npx content-service export back.tar.gz --format strapi --like like.tar.gz --dry-run');
  expect(await run(dry, environment)).toMatchObject(result(0, '176 entries'));
  const command = commandOf('npx content-service export');
  expect(await run(command, environment)).toMatchObject(result(0, '176 entries and 8 files for strapi import'));
  expect(commandOf('npx strapi import')).toBe('npx strapi import --file back.tar.gz');
});

describe('Strapi v3 on MongoDB', () => {
  const hash = hashSync('their old password', 4);
  const { dump, project: models, types } = makeV3(hash);
  const environment = { DATABASE_NAME: v3, CONTENT_TYPES: types };

  test('is imported from a dump', async () => {
    cpSync(dump, path.join(service, 'dump/my-database'), { recursive: true });
    cpSync(models, path.join(root, 'my-v3-project'), { recursive: true });
    const answer = await run(commandOf('npx content-service import dump/'), environment);
    expect(answer).toMatchObject(result(0, '11 stored'));
    expect(answer.output).toMatch(/Importing a dump of Strapi v3, [\d,]+ bytes/);
  });

  test('is imported from its database', async () => {
    const client = await connectToUri(uri);
    for (const [name, documents] of Object.entries(collections(hash))) {
      await client
        .db(from)
        .collection(name)
        .insertMany([...documents]);
    }
    await client.close();
    const live = new URL(uri);
    live.pathname = `/${from}`;
    const answer = await run(
      commandOf('npx content-service import --from').replace('mongodb://…/my-database', live.href),
      environment,
    );
    // The same ids have the same numbers.
    expect(answer).toMatchObject(result(0, '0 stored'));
    expect(answer.output).toMatch(/Importing a database of Strapi v3, 9 collections/);
  });
});

test('a large archive for measurements can be generated', async () => {
  const command = commandOf('node scripts/make-strapi-archive.mjs').replace(' 100000 ', ' 20 ');
  expect(await run(command, { DATABASE_NAME: large })).toMatchObject(result(0, ' stored'));
});

test('errors of import say how to proceed', async () => {
  const environment = { DATABASE_NAME: v4, CONTENT_TYPES: project };
  expect(await run('npx content-service import', environment)).toMatchObject(result(2, '--from'));
  expect(await run('npx content-service import /nowhere', environment)).toMatchObject(result(2, 'does not exist'));
  expect(await run('npx content-service import dump/my-database', environment)).toMatchObject(result(2, '--models'));
  expect(await run('npx content-service compare', environment)).toMatchObject(result(2, '--reference'));
});

test('every command of the page is run', () => {
  expect(commands).toEqual([]);
});
