import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestService } from '../../../../src/testing.js';
import { useService } from '../../../support/service.js';
import { exportTo, importInto, useTargets } from './support.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'export-trash-'));
const archive = path.join(folder, 'export.tar.gz');
afterAll(() => fs.rmSync(folder, { recursive: true }));

const contentTypes = 'packages/versions/tests/content-types';
const plugins = { versions: true, i18n: { config: { locales: ['en', 'de'] } } };
const environment = { API_TOKEN_SALT: 'the-same-salt-on-both-machines' };
const source = useService({ contentTypes, plugins, environment });
/** The same types, of which cards have no trash. */
const plain = path.join(folder, 'plain');

const openTarget = useTargets({ plugins, environment });
const open = async (types: string): Promise<TestService> => {
  const service = await openTarget(types);
  await service.database.db.collection('strapi_api_tokens').deleteMany({});
  return service;
};

beforeAll(async () => {
  fs.cpSync(contentTypes, plain, { recursive: true });
  const file = path.join(plain, 'card.json');
  const { options: _, ...definition } = JSON.parse(fs.readFileSync(file, 'utf8')) as { readonly options: object };
  fs.writeFileSync(file, JSON.stringify(definition));
  const owner = await source.create('authors', { name: 'Ada' });
  const id = await source.create('cards', { label: 'first', owner });
  await source.put(`/api/cards/${id}`, { label: 'second' });
  await source.delete(`/api/cards/${id}`);
  await exportTo(archive, source.service);
});

test('a backup has the trash and the history, which go on where it is restored', async () => {
  const target = await open(contentTypes);
  expect((await importInto(target, archive)).skipped.lines()).toEqual([]);
  for (const name of ['_trash.cards', 'entry_versions']) {
    const stored = ({ database: { db } }: TestService) => db.collection(name).find().sort({ _id: 1 }).toArray();
    expect((await stored(target)).length).toBeGreaterThan(0);
    expect(await stored(target)).toEqual(await stored(source.service));
  }
});

test('a backup with a trash is not restored where it would be lost', async () => {
  const target = await open(plain);
  await expect(importInto(target, archive)).rejects.toThrow('a trash');
  expect(await target.database.db.collection('authors').countDocuments()).toBe(0);
});

test('an entry that was deleted while it was exported is there after the import', async () => {
  const torn = await open(contentTypes);
  const { db } = torn.database;
  const { id } = await torn.entries.create('api::card.card', { label: 'torn' });
  const cards = db.collection<{ _id: number }>('cards');
  const present = await cards.findOne({ _id: id });
  await torn.entries.delete('api::card.card', id);
  if (present !== null) await cards.insertOne(present);
  const file = path.join(folder, 'torn.tar.gz');
  await exportTo(file, torn);
  const target = await open(contentTypes);
  await importInto(target, file);
  const count = (name: string): Promise<number> => target.database.db.collection(name).countDocuments();
  expect([await count('cards'), await count('_trash.cards')]).toEqual([1, 0]);
});
