import { expect, test } from '@jest/globals';
import { system } from '../../../src/documents/caller.js';
import type { Documents } from '../../../src/documents/documents.js';
import { createValidator } from '../../../src/documents/input/validate/validate.js';
import { id as idField } from '../../../src/query/ast.js';
import { plainEntry } from '../../../src/query/entry-presenter.js';
import { dyingDatabase } from '../../support/dying.js';
import { openRecordingProcess } from '../../support/recording-process.js';
import { useService } from '../../support/service.js';

const client = useService();
const request = { caller: system, presenter: plainEntry, selection: { fields: [], populate: [] } };
const typeOf = (uid: string) => {
  const type = client.service.registry.contentTypes.get(uid);
  if (type === undefined) throw new Error(`There is no ${uid}`);
  return type;
};

type Tags = Readonly<Record<string, unknown>>;
const create = async (documents: Documents, data: Tags): Promise<number> =>
  ((await documents.create(typeOf('api::tag.tag'), data, request)) as { readonly id: number }).id;

interface Write {
  readonly action: 'create' | 'update' | 'delete';
  /** Executes the write on the entry with this name, which a creation creates. */
  readonly execute: (documents: Documents, name: string, id: number) => Promise<unknown>;
}

const writes: readonly (Write & { readonly title: string })[] = [
  { title: 'a creation', action: 'create', execute: (documents, name) => create(documents, { name }) },
  {
    title: 'concurrent creations',
    action: 'create',
    execute: (documents, name) =>
      Promise.allSettled(['', ' 2', ' 3'].map((more) => create(documents, { name: `${name}${more}` }))),
  },
  {
    title: 'a creation that changes other entries',
    action: 'create',
    execute: async (documents, name) => create(documents, { name, articles: [await articleOf()] }),
  },
  {
    title: 'an update',
    action: 'update',
    execute: (documents, name, id) =>
      documents.update({ type: typeOf('api::tag.tag'), id }, { name: `${name} changed` }, request),
  },
  {
    title: 'a deletion',
    action: 'delete',
    execute: (documents, _, id) => documents.delete({ type: typeOf('api::tag.tag'), id }, request),
  },
  {
    title: 'a deletion of many entries',
    action: 'delete',
    execute: (documents, _, id) =>
      documents.deleteMany(
        typeOf('api::tag.tag'),
        { kind: 'comparison', field: idField, operator: '$in', operands: [id] },
        { ...request, event: 'none' },
      ),
  },
];

let article: Promise<number> | undefined;
const articleOf = (): Promise<number> => (article ??= client.create('articles', { title: 'a' }));

/** What was done to the entries that have names with this prefix, by their ids. */
async function done({ action }: Write, name: string, ids: readonly number[]): Promise<readonly number[]> {
  const { db } = client.service.database;
  const stored = await db
    .collection<{ _id: number; name: string }>('tags')
    .find({ name: { $regex: `^${name}` } })
    .toArray();
  const changed = stored.filter((tag) => tag.name.endsWith('changed')).map(({ _id }) => _id);
  const all = stored.map(({ _id }) => _id);
  return { create: all, update: changed, delete: ids.filter((id) => !all.includes(id)) }[action];
}

test.each(writes)('after a crash at any command, $title has an event if it was done', async (write) => {
  const { registry, database } = client.service;
  const validator = createValidator(registry);
  const reader = openRecordingProcess(database.db, registry, validator);
  await reader.log.turnOn();
  await articleOf();
  let commands = 0;
  for (let died = true; died; commands += 1) {
    for (const replies of [true, false]) {
      const name = `${write.title} ${commands} ${replies}`;
      const ids = write.action === 'create' ? [] : [await create(reader.documents, { name })];
      const start = await reader.log.horizon();
      const dying = dyingDatabase(database.db, commands, replies);
      const { documents, log } = openRecordingProcess(dying.db, registry, validator);
      const acknowledged = await log
        .turnOn()
        .then(() => write.execute(documents, name, ids[0] ?? 0))
        .then(() => !dying.isDead())
        .catch(() => false);
      died = dying.isDead();
      await reader.store.sweep(true);
      await reader.log.recover(registry, 0);
      const events = await reader.log.read(start, await reader.log.horizon(), 10);
      const written = await done(write, name, ids);
      expect({ name, events: events.map(({ id }) => id).toSorted() }).toEqual({ name, events: written.toSorted() });
      if (acknowledged) expect(written).not.toEqual([]);
    }
  }
  expect(commands).toBeGreaterThan(6);
});
