import { AppError } from '../../../src/errors/app-error.js';
import { createTransaction } from '../../../src/strapi/query-engine/transaction.js';
import { request } from '../world/seed.js';
import type { Instance } from '../world/world.js';
import type { Operation } from './operation.js';

/** Writes of project code in `strapi.db.transaction`. */
const transact =
  (work: (instance: Instance) => Promise<unknown>): Operation['run'] =>
  (instance) => {
    const runtime = (() => instance) as unknown as Parameters<typeof createTransaction>[0];
    return createTransaction(runtime)(() => work(instance));
  };

const rollBack = (): never => {
  throw new AppError('application', 'rolled back');
};

const table: Readonly<Record<string, Operation['run']>> = {
  'code: article 2 takes card 1, tag 1 is renamed': transact(async ({ documents, typeOf }) => {
    await documents.update({ type: typeOf('article'), id: 2 }, { card: 1, title: 'code' }, request);
    await documents.update({ type: typeOf('tag'), id: 1 }, { label: 't9' }, request);
  }),
  'code: article 2 takes card 1, and is rolled back': transact(async ({ documents, typeOf }) => {
    await documents.update({ type: typeOf('article'), id: 2 }, { card: 1, title: 'code' }, request);
    rollBack();
  }),
  'code: article x9 is created, author 1 sets it, and tag 1 deleted': transact(async ({ documents, typeOf }) => {
    const article = (await documents.create(
      typeOf('article'),
      { label: 'new', code: 'x9', tags: [2] },
      { ...request, selection: { fields: [], populate: [] } },
    )) as { readonly id: number };
    await documents.update({ type: typeOf('author'), id: 1 }, { articles: [article.id, 2] }, request);
    await documents.delete({ type: typeOf('tag'), id: 1 }, request);
  }),
  'code: article x9 is created, tag 1 deleted, and both rolled back': transact(async ({ documents, typeOf }) => {
    await documents.create(typeOf('article'), { label: 'new', code: 'x9', tags: [1], card: 1 }, request);
    await documents.delete({ type: typeOf('tag'), id: 1 }, request);
    await documents.update({ type: typeOf('page'), id: 1 }, { price: 9 }, request);
    rollBack();
  }),
  'code: article 90 is created, and rolled back': transact(async ({ documents, typeOf }) => {
    await documents.create(typeOf('article'), { label: 'new', tags: [1] }, request, { id: 90 });
    rollBack();
  }),
  'code: article 90 is created': transact(async ({ documents, typeOf }) => {
    await documents.create(typeOf('article'), { label: 'new', tags: [1] }, request, { id: 90 });
  }),
  'code: prices of page 1, whose part is refused': transact(async ({ documents, typeOf }) => {
    await documents.update({ type: typeOf('page'), id: 1 }, { price: 8, title: 'code' }, request);
    // Code of the project goes on.
    await documents.update({ type: typeOf('article'), id: 2 }, { code: 'x1' }, request).catch(() => undefined);
    await documents.update({ type: typeOf('article'), id: 4 }, { title: 'code', tags: [1] }, request);
  }),
};

export const codeTransactions: readonly Operation[] = Object.entries(table).map(([name, run]) => ({
  name,
  run,
  isBatch: true,
}));
