import type { Data } from '../../../src/config/record.js';
import { AppError } from '../../../src/errors/app-error.js';
import { request } from '../world/seed.js';
import type { Instance } from '../world/world.js';
import type { Operation as BatchOperation } from '../../../src/documents/write/batch/turns.js';
import type { Operation } from './operation.js';

/** One operation of a batch, in the types of an instance. */
type Part = (instance: Instance) => BatchOperation;

const create =
  (type: string, data: Data, as?: string): Part =>
  ({ typeOf }) => ({ kind: 'create', type: typeOf(type), request, data, as });
/** @param seeded the title that the entry must have */
const update =
  (type: string, id: number, data: Data, seeded?: string): Part =>
  ({ entries, typeOf }) => {
    const { uid } = typeOf(type);
    const check = async (): Promise<void> => {
      const { title } = await entries.findOne(uid, id);
      if (title !== seeded) throw new AppError('preconditionFailed', 'The entry has changed');
    };
    const condition = seeded === undefined ? {} : { check };
    return { kind: 'update', type: typeOf(type), request, id, data, ...condition };
  };
const remove =
  (type: string, id: number): Part =>
  ({ typeOf }) => ({ kind: 'delete', type: typeOf(type), request, id });
const batch =
  (...parts: readonly Part[]): Operation['run'] =>
  (instance) =>
    instance.documents.batch(parts.map((part) => part(instance)));

/** Batches of every kind, whose operations are not in the order in which they are executed. */
const table: Readonly<Record<string, Operation['run']>> = {
  'batch: article with card 1, tag and author 1': batch(
    create('article', { label: 'new', card: 1, tags: [1], code: 'x9' }, 'a'),
    create('tag', { label: 'newer', articles: ['$a', 2] }),
    update('author', 1, { articles: { connect: ['$a'] } }),
  ),
  'batch: article 2 sets tags 2 3, delete tag 1': batch(
    remove('tag', 1),
    update('article', 2, { title: 'batch', tags: [2, 3] }),
    update('author', 2, { articles: [1, 2] }),
  ),
  'batch: article 2 takes card 1, card 2 takes article 3': batch(
    update('article', 2, { title: 'batch', card: 1 }),
    update('card', 2, { article: 3 }),
  ),
  'batch: article 1 releases code x1': batch(
    update('article', 1, { code: 'x9', title: 'batch', author: 2 }),
    update('tag', 1, { label: 't9' }),
    create('tag', { label: 'newer' }),
  ),
  'batch: article 2 takes code x9, article 3 key k9': batch(
    update('article', 2, { code: 'x9', tags: { connect: [3], disconnect: [1] } }),
    update('article', 3, { seo: { text: 'three', key: 'k9' } }),
  ),
  'batch: tag 1 sets articles 3 4, author 1 sets articles 2 3': batch(
    update('tag', 1, { articles: [3, 4] }),
    update('author', 1, { articles: [2, 3] }),
  ),
  'batch: card 1 takes remark 2, remark 1 subjects tags 2 3': batch(
    update('card', 1, { remark: 2 }),
    update('remark', 1, {
      subjects: [
        { __type: 'api::tag.tag', id: 2 },
        { __type: 'api::tag.tag', id: 3 },
      ],
    }),
  ),
  // They are executed at once.
  'batch: article 1 sets author 2, article 2 connects tag 3': batch(
    update('article', 1, { title: 'batch', author: 2, tags: [3] }),
    update('article', 2, { views: 9, tags: { connect: [3], disconnect: [1] } }),
  ),
  'batch: prices of page 1 and page 3': batch(
    update('page', 1, { price: 5, title: 'batch' }),
    update('page', 3, { price: 7 }),
  ),
  'batch: articles x8 and x9, author 1 sets the first': batch(
    create('article', { label: 'first', code: 'x8' }, 'a'),
    create('article', { label: 'second', code: 'x9' }),
    update('author', 1, { articles: { connect: ['$a'] } }),
  ),
  'batch: page 3 releases serial s2, page 1 stock': batch(
    update('page', 3, { serial: 's9' }),
    update('page', 1, { stock: 5 }),
    create('page', { label: 'p9', slug: 'eins', locale: 'de' }),
  ),
  'batch: delete page 1, article 1 and card 1': batch(remove('page', 1), remove('article', 1), remove('card', 1)),
  'batch: publish article 5, unpublish article 4, delete file 2': batch(
    update('article', 5, { publishedAt: new Date(0).toISOString() }),
    update('article', 4, { publishedAt: null, title: 'batch' }),
    remove('plugin::upload.file', 2),
  ),
  'batch: article 1 if unchanged, tag 1': batch(
    update('article', 1, { title: 'batch', tags: [2] }, 'one'),
    update('tag', 1, { label: 't9' }),
  ),
  'batch: code x1 refused to article 2': batch(
    update('article', 1, { title: 'batch', views: 2, tags: [3], card: 2 }),
    update('article', 3, { blocks: [], seo: { text: 'batch', key: 'k9' } }),
    update('page', 1, { title: 'batch', price: 9 }),
    create('article', { label: 'undone', code: 'x9', tags: [1], card: 1 }),
    remove('tag', 4),
    update('article', 2, { title: 'batch', code: 'x1' }),
  ),
};

export const batches: readonly Operation[] = Object.entries(table).map(([name, run]) => ({ name, run, isBatch: true }));
