import { describe, expect, test } from '@jest/globals';
import { system } from '../../../src/documents/caller.js';
import type { Documents } from '../../../src/documents/documents.js';
import { openStore } from '../../../src/mongo/store.js';
import { idIn } from '../../../src/query/ast.js';
import { plainEntry } from '../../../src/query/entry-presenter.js';
import { openDocuments } from '../../support/open-documents.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const contentTypes = 'packages/versions/tests/content-types';
const clients = {
  bytes: useService({ contentTypes }),
  'a collation': useService({ contentTypes, environment: { STRAPI_DATABASE: 'mysql' } }),
};
const request = { caller: system, presenter: plainEntry, selection: { fields: [], populate: [] } } as const;

describe.each(Object.entries(clients))('values that are compared by %s', (_, client) => {
  const typeOf = (name: string) => {
    const type = client.service.registry.contentTypes.get(`api::${name}.${name}`);
    if (type === undefined) throw new Error(`There is no ${name}`);
    return type;
  };

  /** @param patience milliseconds for which a write waits for a transaction */
  function openProcess(patience: number) {
    const { registry, database } = client.service;
    const store = openStore(database.db, { timeout: 60_000, exclusive: false, patience });
    return { store, documents: openDocuments(registry, store) };
  }

  const idOf = (entry: unknown): number => (entry as { readonly id: number }).id;
  let count = 0;

  /** Writes of a value that must be unique. Each makes the entry that it needs before. */
  const writes: Readonly<Record<string, (documents: Documents, own: string) => Promise<() => Promise<unknown>>>> = {
    'a creation': async (documents, own) => () => documents.create(typeOf('card'), { label: own }, request),
    'a creation with a link': async (documents, own) => {
      const owner = idOf(await documents.create(typeOf('author'), { name: 'a' }, request));
      return () => documents.create(typeOf('card'), { label: own, owner }, request);
    },
    'an update': async (documents, own) => {
      const id = idOf(await documents.create(typeOf('card'), {}, request));
      return () => documents.update({ type: typeOf('card'), id }, { label: own }, request);
    },
    'a publication of a working copy': async (documents, own) => {
      const data = { title: 'a', locale: 'en', publishedAt: '2026-01-01T00:00:00.000Z' };
      const id = idOf(await documents.create(typeOf('article'), data, request));
      await documents.update({ type: typeOf('article'), id }, { title: 'b' }, { ...request, status: 'draft' });
      return () =>
        documents.update({ type: typeOf('article'), id }, { slug: own }, { ...request, status: 'published' });
    },
    'a restoration from the trash': async (documents, own) => {
      const id = idOf(await documents.create(typeOf('card'), { label: own }, request));
      await documents.delete({ type: typeOf('card'), id }, request);
      return () => documents.trash.restore(typeOf('card'), id, request);
    },
  };
  const value = (number: number): string => `value ${number}`;
  const holdingType = (kind: string) => (kind.includes('publication') ? typeOf('article') : typeOf('card'));
  const holdingData = (kind: string) =>
    kind.includes('publication') ? { title: 'holder', locale: 'en', slug: value(count) } : { label: value(count) };

  /** Does a write while a transaction is open that has its value. */
  async function writeMeanwhile(kind: string, patience: number) {
    count += 1;
    const [holding, waiting] = [openProcess(3000), openProcess(patience)];
    const write = await writes[kind]?.(waiting.documents, value(count));
    const transaction = holding.store.transactions.open();
    await holding.store.transactions.within(transaction, () =>
      holding.documents.create(holdingType(kind), holdingData(kind), request),
    );
    const { counts } = waiting.store.transactions;
    const before = counts.waits;
    const outcome = (write?.() ?? Promise.resolve()).then(
      () => 'done',
      (error: unknown) => (error as { readonly code: string }).code,
    );
    return { transaction, outcome, isWaiting: () => until(() => counts.waits > before) };
  }

  test.each(Object.keys(writes))(
    '%s waits for a transaction that has its value, and is done if that is undone',
    async (kind) => {
      const { transaction, outcome, isWaiting } = await writeMeanwhile(kind, 30_000);
      await isWaiting();
      await transaction.abort();
      expect(await outcome).toBe('done');
    },
  );

  test.each(Object.keys(writes))('%s is refused if the transaction that has its value is committed', async (kind) => {
    const { transaction, outcome, isWaiting } = await writeMeanwhile(kind, 30_000);
    await isWaiting();
    await transaction.commit();
    expect(await outcome).toBe('validation');
  });

  test.each(Object.keys(writes))(
    '%s is to be repeated if the transaction that has its value stays open',
    async (kind) => {
      const { transaction, outcome } = await writeMeanwhile(kind, 1);
      expect(await outcome).toBe('conflict');
      await transaction.abort();
    },
  );

  test('a batch and an update of many entries do not wait, and are to be repeated', async () => {
    count += 1;
    const [holding, other] = [openProcess(3000), openProcess(3000)];
    const id = idOf(await other.documents.create(typeOf('card'), {}, request));
    const transaction = holding.store.transactions.open();
    const data = { label: value(count) };
    await holding.store.transactions.within(transaction, () => holding.documents.create(typeOf('card'), data, request));
    const card = typeOf('card');
    await expect(other.documents.batch([{ kind: 'create', type: card, data, request }])).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(other.documents.updateMany(card, idIn([id]), data, request)).rejects.toMatchObject({
      code: 'conflict',
    });
    await transaction.abort();
    expect(await other.documents.updateMany(card, idIn([id]), data, request)).toBe(1);
    // Of what the batch has itself, it decides.
    const twice = { kind: 'create', type: card, data: { label: 'twice' }, request } as const;
    await expect(other.documents.batch([twice, { ...twice }])).rejects.toMatchObject({ code: 'validation' });
  });

  test.each(Object.keys(writes))(
    '%s is refused for a value of an entry that is stored, whatever transactions are open',
    async (kind) => {
      const { transaction, outcome } = await writeMeanwhile(kind, 30_000);
      await transaction.commit();
      expect(await outcome).toBe('validation');
      const other = openProcess(3000);
      const unrelated = other.store.transactions.open();
      count += 1;
      await other.store.transactions.within(unrelated, () =>
        other.documents.create(holdingType(kind), holdingData(kind), request),
      );
      const { documents } = openProcess(1);
      const taken = value(count - 1);
      await expect(writes[kind]?.(documents, taken).then((write) => write())).rejects.toMatchObject({
        code: 'validation',
      });
      await unrelated.abort();
    },
  );
});
