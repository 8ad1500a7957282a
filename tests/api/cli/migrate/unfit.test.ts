import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { makeProject, startService, type Project } from '../../../faults/service-process.js';
import { writeDefinitions } from './definitions.js';

const info = { singularName: 'thing', pluralName: 'things', displayName: 'Thing' };
const seo = (attributes: object): Record<string, object> => ({ 'components/shared/seo.json': { attributes } });
const component = { type: 'component', component: 'shared.seo' };
const string = { type: 'string' };
const before = {
  'thing.json': {
    info,
    options: { draftAndPublish: true },
    attributes: { title: string, price: { type: 'integer' }, seo: component },
  },
  ...seo({ heading: string }),
};
const after = {
  'thing.json': {
    ...before['thing.json'],
    attributes: { name: string, price: { type: 'integer', required: true }, seo: component },
  },
  ...seo({ metaTitle: { ...string, required: true } }),
};

let project: Project;
let service: TestService;
let ids: number[];
beforeEach(async () => {
  project = makeProject();
  const contentTypes = writeDefinitions(fs.mkdtempSync(path.join(os.tmpdir(), 'unfit-')), before);
  service = await createTestService({ contentTypes, mongodbUri: process.env['TEST_MONGODB_URI'] ?? '' });
  fs.rmSync(contentTypes, { recursive: true });
  ids = [];
  const things = [
    { title: 'whole', price: 1 },
    { title: 'poor', seo: { heading: 'x' } },
    { title: 'draft', publishedAt: null },
  ];
  for (const data of things) {
    const { id } = await service.entries.create('api::thing.thing', { publishedAt: new Date().toISOString(), ...data });
    ids.push(id);
  }
  fs.rmSync(path.join(project.folder, 'content-types'), { recursive: true });
  writeDefinitions(path.join(project.folder, 'content-types'), after);
});
afterEach(async () => {
  await service.close();
  project.remove();
});

const environment = (): Record<string, string> => ({
  MONGODB_URI: process.env['TEST_MONGODB_URI'] ?? '',
  DATABASE: 'auto',
  DATABASE_NAME: service.database.db.databaseName,
});

function run(...args: readonly string[]): string {
  const program = path.resolve('bin/content-service.mjs');
  const options = { cwd: project.folder, encoding: 'utf8', env: { ...process.env, ...environment() } } as const;
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], options);
  return stdout + stderr;
}

const left = `Left unchanged, although they do not match the content types:
api::thing.thing
  title has a value, and is not an attribute: 3 entries
  price is required, and has no value: 1 entry
  shared.seo.metaTitle is required, and has no value: 1 entry
  shared.seo.heading has a value, and is not an attribute: 1 entry
`;

test('migrate reports published entries without required values, and values of undefined attributes', () => {
  expect(run('migrate')).toContain(
    `${left}Is price the new name of title? Then write to migrations.json beside the content types: {"attributes":{"api::thing.thing":{"title":"price"}}}\n` +
      'Is metaTitle the new name of heading? Then write to migrations.json beside the content types: {"attributes":{"shared.seo":{"heading":"metaTitle"}}}\n',
  );
  const misspelt = { attributes: { 'api::thing.thing': { titel: 'name' }, 'shared.seo': { headng: 'metaTitle' } } };
  const migrations = path.join(project.folder, 'content-types', 'migrations.json');
  fs.writeFileSync(migrations, JSON.stringify(misspelt));
  expect(run('migrate')).toContain(
    `${left}migrations.json: attributes.api::thing.thing.titel: no entry has this name; did you mean "title"?\n` +
      'migrations.json: attributes.shared.seo.headng: no entry has this name; did you mean "heading"?\n',
  );
  const right = { attributes: { 'api::thing.thing': { title: 'name' }, 'shared.seo': { heading: 'metaTitle' } } };
  fs.writeFileSync(migrations, JSON.stringify(right));
  expect(run('migrate', '--apply')).toContain(
    'Left unchanged, although they do not match the content types:\napi::thing.thing\n  price is required, and has no value: 1 entry\nDone',
  );
});

test('check-data reports published entries without required values', () => {
  const output = run('check-data');
  expect(output).toContain(`Note: thing ${ids[1]}: price is required, and has no value\n`);
  expect(output).toContain(`Note: thing ${ids[1]}: shared.seo.metaTitle is required, and has no value\n`);
  expect(output.match(/is required/g)).toHaveLength(2);
  expect(output).toContain(`thing ${ids[0]} title: is not an attribute of api::thing.thing\n`);
});

test('the start warns with counts while the data does not match the definitions', async () => {
  const warned = /Stored entries of (\S+) do not fit its definition: ([^"]*)/;
  const first = await startService(project, environment());
  while (!warned.test(first.log())) await wait(20);
  await first.stop();
  expect(warned.exec(first.log())?.slice(1)).toEqual([
    'api::thing.thing',
    'price is required, and has no value (entries: 1); title has a value, and is not an attribute (entries: 3); see the command migrate',
  ]);
  const things = service.database.db.collection('thing');
  await things.updateMany({}, { $unset: { title: 1 }, $set: { price: 1 } });
  const second = await startService(project, environment());
  while ((await service.database.db.collection('_values').countDocuments()) === 0) await wait(20);
  await second.stop();
  expect(second.log()).not.toMatch(warned);
});
