import { expect, test } from '@jest/globals';
import { system } from '../../../src/documents/caller.js';
import { createValidator } from '../../../src/documents/input/validate/validate.js';
import { IdempotencyKeys } from '../../../src/mongo/coordination/idempotency-keys.js';
import { plainEntry } from '../../../src/query/entry-presenter.js';
import { interruptedDatabase } from '../../support/dying.js';
import { openRecordingProcess } from '../../support/recording-process.js';
import { recorded } from '../../support/recorded.js';
import { useService } from '../../support/service.js';

const client = useService();
const request = { caller: system, presenter: plainEntry, selection: { fields: [], populate: [] } };
const typeOf = (uid: string) => {
  const type = client.service.registry.contentTypes.get(uid);
  if (type === undefined) throw new Error(`There is no ${uid}`);
  return type;
};

interface Written {
  readonly name: string;
  readonly tag: number;
  readonly other: number;
}
type Running = ReturnType<typeof openRecordingProcess> & { readonly keys: IdempotencyKeys };

const writes: Readonly<Record<string, (running: Running, written: Written) => Promise<unknown>>> = {
  'a batch': ({ documents }, { name, tag, other }) =>
    documents.batch(
      [
        {
          kind: 'create',
          type: typeOf('api::article.article'),
          as: 'a',
          data: { title: name, locale: 'en', tags: [tag] },
        } as const,
        { kind: 'update', type: typeOf('api::tag.tag'), id: tag, data: { name: `${name} changed` } } as const,
        { kind: 'delete', type: typeOf('api::tag.tag'), id: other } as const,
      ].map((operation) => ({ ...operation, request })),
    ),
  'a keyed write': ({ documents, keys }, { name }) =>
    keys.once(name, 'hash', async () =>
      recorded(await documents.create(typeOf('api::tag.tag'), { name: `${name} keyed` }, request)),
    ),
  'a conditional write': ({ documents }, { name, tag }) =>
    documents.update({ type: typeOf('api::tag.tag'), id: tag }, { name: `${name} changed` }, request, {
      check: async () => undefined,
    }),
  'a write of related entries': ({ documents }, { name, tag }) =>
    documents.create(typeOf('api::article.article'), { title: name, locale: 'en', tags: [tag] }, request),
  'a transaction of code': ({ documents, store }, { name, tag }) =>
    store.transactions.run(() =>
      documents.update({ type: typeOf('api::tag.tag'), id: tag }, { name: `${name} changed` }, request),
    ),
  'the deletion of several entries': ({ documents }, { tag, other }) =>
    documents.batch([tag, other].map((id) => ({ kind: 'delete', type: typeOf('api::tag.tag'), id, request }) as const)),
};

test.each(Object.keys(writes))(
  'if a connection is lost at any command of %s, the database is unavailable',
  async (kind) => {
    const { registry, database } = client.service;
    const validator = createValidator(registry);
    const codes: unknown[] = [];
    let commands = 0;
    for (let wasLost = true; wasLost; commands += 1) {
      for (const executes of [true, false]) {
        const name = `${kind} ${commands} ${executes}`;
        const tag = await client.create('tags', { name });
        const other = await client.create('tags', { name: `${name} other` });
        const { db, isLost } = interruptedDatabase(database.db, commands, executes);
        const running = openRecordingProcess(db, registry, validator);
        const keys = new IdempotencyKeys(db, running.store.transactions);
        const written = writes[kind]?.({ ...running, keys }, { name, tag, other });
        const error = await written?.then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (error !== undefined) codes.push((error as { readonly code?: unknown }).code ?? error);
        wasLost = isLost();
        // What was interrupted is completed before the next write.
        await running.store.transactions.finishInterrupted();
        running.store.transactions.close();
      }
    }
    expect(codes.length).toBeGreaterThan(3);
    expect(codes.filter((code) => code !== 'unavailable')).toEqual([]);
  },
);
