import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { connectToUri } from '../../../src/mongo/connection/connect.js';
import { waitForReady } from '../../support/wait-for-ready.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'schema-record-'));
const database = `test_schema_record_${process.pid}`;
const uri = process.env['TEST_MONGODB_URI'] ?? '';
const files = {
  'package.json': JSON.stringify({ dependencies: { '@strapi/plugin-graphql': '4.26.2' } }),
  'src/api/note/content-types/note/schema.json': JSON.stringify({
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { text: { type: 'string' } },
  }),
  'src/api/note/controllers/note.js': `module.exports = require('@strapi/strapi').factories.createCoreController('api::note.note');`,
  'src/api/note/services/note.js': `module.exports = require('@strapi/strapi').factories.createCoreService('api::note.note');`,
  'src/api/note/routes/note.js': `module.exports = require('@strapi/strapi').factories.createCoreRouter('api::note.note', {
    config: { find: { policies: [() => true] } } });`,
  'src/index.js': `module.exports = { register({ strapi }) {
    strapi.plugin('graphql').service('extension').use(() => ({
      typeDefs: 'type Query { greeting: ' + (process.env.GREETING_TYPE ?? 'String') + ' }',
      resolvers: { Query: { greeting: () => { return "Hello"; } } },
      resolversConfig: { 'Query.greeting': { auth: false } },
    }));
  } };`,
  'data/.keep': '',
};
for (const [name, text] of Object.entries(files)) {
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  fs.writeFileSync(path.join(folder, name), text);
}
const record = path.join(folder, 'data', 'compiled', 'graphql-schema.json');

afterAll(async () => {
  fs.rmSync(folder, { recursive: true });
  const client = await connectToUri(uri);
  await client.db(database).dropDatabase();
  await client.close();
});

/** The output of a start, and the response to a GraphQL query. */
async function start(variables: Readonly<Record<string, string>> = {}): Promise<{ output: string; answer: string }> {
  const settings = { MONGODB_URI: uri, DATABASE_NAME: database, NODE_ENV: 'test', PORT: '0', CONTENT_TYPES: '.' };
  const service = spawn(process.execPath, [path.resolve('dist/main.js')], {
    cwd: folder,
    env: { ...process.env, ...settings, DATA_FOLDER: path.join(folder, 'data'), ...variables },
  });
  const ended = once(service, 'exit');
  try {
    const { url, output } = await waitForReady(service);
    const body = JSON.stringify({ query: '{ greeting }' });
    const headers = { 'content-type': 'application/json' };
    return { output, answer: await (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).text() };
  } finally {
    service.kill();
    await ended;
  }
}

test('a start builds the schema of code that changed, and relies on the record of the last otherwise', async () => {
  const warning = 'GraphQL Query.notes does not run the policies of GET /notes in src/api/note/routes/note.js';
  const answer = '{"data":{"greeting":"Hello"}}';
  for (const round of ['first', 'second']) {
    const started = await start();
    expect([round, started.answer]).toEqual([round, answer]);
    expect(started.output).toContain(warning);
  }
  const { fingerprint, warnings } = JSON.parse(fs.readFileSync(record, 'utf8')) as Record<string, unknown>;
  // Of the same code with the other value no schema can be built.
  await expect(start({ GREETING_TYPE: 'Absent' })).rejects.toThrow('The extended GraphQL schema cannot be built');
  // The first request finds a change that the fingerprint does not show, and so does the start after it.
  const index = path.join(folder, 'src', 'index.js');
  const code = fs.readFileSync(index, 'utf8').replace("process.env.GREETING_TYPE ?? 'String'", "require('../type')");
  fs.writeFileSync(index, code);
  fs.writeFileSync(path.join(folder, 'type.js'), "module.exports = 'String';");
  expect((await start()).answer).toBe(answer);
  expect(JSON.parse(fs.readFileSync(record, 'utf8'))).toEqual({
    fingerprint: expect.not.stringMatching(String(fingerprint)),
    warnings,
  });
  fs.writeFileSync(path.join(folder, 'type.js'), "module.exports = 'Absent';");
  expect((await start()).answer).toContain('Internal Server Error');
  expect(fs.existsSync(record)).toBe(false);
  await expect(start()).rejects.toThrow('The extended GraphQL schema cannot be built');
});
