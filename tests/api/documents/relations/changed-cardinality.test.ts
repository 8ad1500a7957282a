import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestService } from '../../../../src/testing.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'changed-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));
const person = {
  kind: 'collectionType',
  collectionName: 'persons',
  info: { singularName: 'person', pluralName: 'persons', displayName: 'Person' },
  options: {},
  attributes: { name: { type: 'string' } },
};
const note = (relation: string) => ({
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  options: {},
  attributes: {
    who: { type: 'relation', relation, target: 'api::person.person' },
    about: { type: 'component', component: 'shared.about', repeatable: relation === 'oneToMany' },
  },
});
const about = (relation: string) => ({
  attributes: { who: { type: 'relation', relation, target: 'api::person.person' } },
});
const define = (name: string, relation: string): string => {
  const contentTypes = path.join(folder, name);
  fs.mkdirSync(path.join(contentTypes, 'components', 'shared'), { recursive: true });
  const write = (file: string, content: object): void =>
    fs.writeFileSync(path.join(contentTypes, file), JSON.stringify(content));
  write('person.json', person);
  write('note.json', note(relation));
  write('components/shared/about.json', about(relation));
  return contentTypes;
};

test.each([
  ['oneToOne', 'oneToMany', (gone: number) => gone, () => undefined],
  ['oneToMany', 'oneToOne', (gone: number, stays: number) => [gone, stays], (stays: number) => [stays]],
])(
  'a relation changed from %s to %s without migration: a target can be deleted, and its references are removed',
  async (former, latter, linked, left) => {
    const mongodbUri = process.env['TEST_MONGODB_URI'] ?? '';
    const environment = { DATABASE_NAME: `changed_${process.pid}_${former}` };
    const [first, second] = [define(`${former}1`, former), define(`${former}2`, latter)];
    const before = await createTestService({ contentTypes: first, mongodbUri, environment });
    const { entries } = before;
    const gone = await entries.create('api::person.person', { name: 'Ada' });
    const stays = await entries.create('api::person.person', { name: 'Bert' });
    const who = linked(gone.id, stays.id);
    const made = await entries.create('api::note.note', { who, about: Array.isArray(who) ? [{ who }] : { who } });
    // The other service makes its own.
    await before.database.db.collection('strapi_api_tokens').deleteMany({});
    const service = await createTestService({ contentTypes: second, mongodbUri, environment });
    const { db } = service.database;
    const removed = await request(service.url)
      .delete(`/api/persons/${gone.id}`)
      .auth(service.token, { type: 'bearer' });
    const stored = await db
      .collection<{ _id: number; who?: unknown; about?: { who?: unknown } | { who?: unknown }[] }>('notes')
      .findOne({ _id: made.id });
    await service.close();
    await before.close();
    expect(removed.status).toBe(200);
    const inComponents = [stored?.about ?? []].flat().map(({ who: links }) => links);
    expect([stored?.who, inComponents]).toEqual([left(stays.id), [left(stays.id)]]);
  },
);
