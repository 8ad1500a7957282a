import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hashSync } from 'bcrypt';
import { expect, test } from '@jest/globals';
import jsonwebtoken from 'jsonwebtoken';
import { connectToUri } from '../../src/mongo/connection/connect.js';
import { collections, makeV3 } from '../api/cli/import/make-v3-dump.js';
import { corpus } from '../support/service.js';
import { useProjects } from './own-project.js';
import { runPage } from './run-page.js';

const project = useProjects();
const read = (page: string): string => readFileSync(`docs/${page}`, 'utf8');

/**
 * The content types of the recorded world as the folders of a Strapi v4 project on PostgreSQL, with variables in its
 * own `.env`.
 */
function makeStrapiProject(folder: string): void {
  for (const name of readdirSync(corpus, { recursive: true }) as string[]) {
    const [kind = '', ...component] = name.replace(/\.json$/, '').split(path.sep);
    const place = component.length === 0 ? ['api', kind, 'content-types', kind, 'schema'] : [kind, ...component];
    if (name.endsWith('.json')) cpSync(path.join(corpus, name), `${path.join(folder, 'src', ...place)}.json`);
  }
  mkdirSync(path.join(folder, 'config'));
  writeFileSync(
    path.join(folder, 'config/database.js'),
    `module.exports = ({ env }) => ({ connection: { client: env('DATABASE_CLIENT', 'sqlite') } });`,
  );
  const secrets = 'JWT_SECRET=the-JWT_SECRET-of-strapi\nAPI_TOKEN_SALT=the-API_TOKEN_SALT-of-strapi\n';
  writeFileSync(path.join(folder, '.env'), `PORT=1\nDATABASE_NAME=strapi\nDATABASE_CLIENT=postgres\n${secrets}`);
}

test('the steps of docs/from-strapi-v4.md lead from an archive of Strapi to the service and back', async () => {
  const own = project();
  // It lies in the folder of the service, to go away with it, and the service stands in for the Strapi that it
  // replaces.
  makeStrapiProject(path.join(own.folder, 'my-strapi-project'));
  const page = read('from-strapi-v4.md')
    .replaceAll('../my-strapi-project', 'my-strapi-project')
    .replaceAll('https://cms.example.org --requests', 'http://localhost:1337 --requests');
  for (const name of ['export', 'like']) {
    cpSync('tests/fixtures/strapi-export/world.tar.gz', path.join(own.folder, `${name}.tar.gz`));
  }
  const [trial = '', switched = ''] = page.split(/(?=^## 6|^## From Strapi v3)/m);
  const tried = await runPage(trial, own);
  expect(tried.wrong).toEqual([]);
  await own.stop();
  const moved = await runPage(switched, own);
  expect(moved.wrong).toEqual([]);
  expect([tried.ran, moved.ran]).toEqual([5, 4]);

  // The secrets of the project keep users logged in, and API tokens valid.
  const url = await own.start();
  const client = await connectToUri(own.environment['MONGODB_URI'] ?? '');
  const db = client.db(own.databaseName);
  const bob = await db.collection('up_users').findOne({ username: 'bob' });
  const accessKey = createHmac('sha512', 'the-API_TOKEN_SALT-of-strapi').update('key-of-before').digest('hex');
  await db
    .collection<Record<string, unknown> & { _id: number }>('strapi_api_tokens')
    .insertOne({ _id: 1, name: 'of before', type: 'full-access', accessKey });
  await client.close();
  const program = await fetch(`${url}/api/tags`, { headers: { authorization: 'Bearer key-of-before' } });
  expect(program.status).toBe(200);
  const jwt = jsonwebtoken.sign({ id: bob?._id }, 'the-JWT_SECRET-of-strapi', { algorithm: 'HS256' });
  const me = await fetch(`${url}/api/users/me`, { headers: { authorization: `Bearer ${jwt}` } });
  expect(await me.json()).toMatchObject({ username: 'bob' });
});

test('the steps of docs/from-strapi-5.md lead from an archive of Strapi 5 to the service and back', async () => {
  const own = project();
  const recorded = 'packages/strapi5/tests/fixtures/import';
  const theirs = path.join(own.folder, 'my-strapi-project');
  for (const name of readdirSync(`${recorded}/content-types`)) {
    const { name: type, ext } = path.parse(name);
    const place = ext === '.json' ? `src/api/${type}/content-types/${type}/schema.json` : `src/${name}`;
    cpSync(`${recorded}/content-types/${name}`, path.join(theirs, place), { recursive: true });
  }
  const [user, account] = ['src/extensions/users-permissions/user.json', 'content-types/user/schema.json'];
  cpSync(path.join(theirs, user), path.join(theirs, path.dirname(user), account));
  writeFileSync(path.join(theirs, 'package.json'), JSON.stringify({ dependencies: { '@strapi/strapi': '5.54.0' } }));
  for (const name of ['export', 'like']) cpSync(`${recorded}/world.tar.gz`, path.join(own.folder, `${name}.tar.gz`));
  const page = read('from-strapi-5.md').replaceAll('../my-strapi-project', 'my-strapi-project');
  const { wrong, ran } = await runPage(page, own);
  expect(wrong).toEqual([]);
  expect(ran).toBe(4);
});

test('docs/from-strapi-v4.md: a dump of Strapi v3 and its database are imported', async () => {
  const own = project();
  const hash = hashSync('their old password', 4);
  const { dump, project: models, types } = makeV3(hash);
  cpSync(dump, path.join(own.folder, 'dump/my-database'), { recursive: true });
  cpSync(models, path.join(own.folder, 'my-v3-project'), { recursive: true });
  own.environment['CONTENT_TYPES'] = types;
  const from = project();
  const live = new URL(own.environment['MONGODB_URI'] ?? '');
  live.pathname = `/${from.databaseName}`;
  const client = await connectToUri(live.href);
  for (const [name, documents] of Object.entries(collections(hash))) {
    await client
      .db(from.databaseName)
      .collection(name)
      .insertMany([...documents]);
  }
  await client.close();
  const instead = { '../my-v3-project': 'my-v3-project', 'mongodb://127.0.0.1/my-database': live.href };
  const { wrong, ran } = await runPage(read('from-strapi-v4.md').split('## From Strapi v3')[1] ?? '', own, { instead });
  expect(wrong).toEqual([]);
  expect(ran).toBe(2);
});

test.each([
  ['an import of nothing', ['import'], '--from'],
  ['an import of a missing file', ['import', '/nowhere'], 'does not exist'],
  ['an import of a dump alone', ['import', makeV3('').dump], '--models'],
  ['a comparison with nothing', ['compare'], '--reference'],
])('the error of %s says how to proceed', (_, words, advice) => {
  const { folder, environment } = project();
  const env = { ...process.env, ...environment };
  const command = [path.resolve('bin/content-service.mjs'), ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, env, encoding: 'utf8' });
  expect({ status, output: stdout + stderr }).toEqual({ status: 2, output: expect.stringContaining(advice) });
});
