import { AppError } from '../../../src/errors/app-error.js';
import { system } from '../../../src/documents/caller.js';
import { insertedDocument } from '../../../src/mongo/write/change-entry.js';
import { noChanges } from '../../../src/query/mutation.js';
import { parseKey } from '../../../src/query/parse/parse-key.js';
import { localize, request, SEEDED } from '../world/seed.js';
import type { Instance } from '../world/world.js';
import { batches } from './batches.js';
import { codeTransactions } from './code.js';
import { conditional } from './conditional.js';
import { newEntries } from './new-entries.js';
import type { Operation } from './operation.js';

type Run = Operation['run'];

const update =
  (type: string, id: number, data: object): Run =>
  ({ documents, typeOf }) =>
    documents.update({ type: typeOf(type), id }, data, request);
/** Saves data in the working copy of an entry. */
const save =
  (id: number, data: object, type = 'article'): Run =>
  ({ documents, typeOf }) =>
    documents.update({ type: typeOf(type), id }, data, { ...request, status: 'draft' });
/** Publishes what is prepared of an entry. */
const publish =
  (id: number, type = 'article'): Run =>
  ({ documents, typeOf }) =>
    documents.update({ type: typeOf(type), id }, {}, { ...request, status: 'published' });
const discard =
  (id: number): Run =>
  ({ documents, typeOf }) =>
    documents.delete({ type: typeOf('article'), id }, { ...request, status: 'draft' });
const create =
  (type: string, data: object): Run =>
  ({ documents, typeOf }) =>
    documents.create(typeOf(type), data, request);
const remove =
  (type: string, id: number): Run =>
  ({ documents, typeOf }) =>
    documents.delete({ type: typeOf(type), id }, request);
const ask =
  (id: number): Run =>
  ({ documents, typeOf }) =>
    documents.reviews.ask(typeOf('article'), id, undefined, system);
const publishAsked =
  (id: number): Run =>
  ({ documents, typeOf }) =>
    documents.reviews.publish(typeOf('article'), id, SEEDED, system);
const sendBack =
  (id: number): Run =>
  ({ documents, typeOf }) =>
    documents.reviews.sendBack(typeOf('article'), id, SEEDED, 'Not yet', system);
const withdraw =
  (id: number): Run =>
  ({ documents, typeOf }) =>
    documents.reviews.withdraw(typeOf('article'), id, system);
const restore =
  (type: string, id: number): Run =>
  ({ documents, typeOf }) =>
    documents.trash.restore(typeOf(type), id, request);
const removeForGood =
  (type: string, id: number): Run =>
  ({ documents, typeOf }) =>
    documents.trash.remove(typeOf(type), id, system);
const link =
  (path: string, file: number): Run =>
  ({ documents, typeOf }) =>
    documents.update({ type: typeOf('article'), id: 1 }, {}, request, { append: [{ path: [path], ids: [file] }] });

/** Changes the title of an article, as long as it is the one of the seed. */
const renameUnchanged =
  (id: number, seeded: string, title: string): Run =>
  async ({ documents, entries, typeOf }) => {
    const check = async (): Promise<void> => {
      const article = await entries.findOne('api::article.article', id);
      if (article['title'] !== seeded) throw new AppError('preconditionFailed', 'The entry has changed');
    };
    return documents.update({ type: typeOf('article'), id }, { title }, request, { check });
  };

/** Creates the article with a code, or changes the one that has it. */
const upsertArticle =
  (code: string, data: object): Run =>
  ({ documents, typeOf }) => {
    const type = typeOf('article');
    const key = { attribute: 'code', value: code };
    return documents.update({ type, key, filter: parseKey(key, type) }, data, request, { mode: 'upsert' });
  };

/** Saves the setting; the values of a new one are those of an old one that is changed. */
const saveSetting = ({ documents, typeOf }: Instance): Promise<unknown> =>
  documents.update({ type: typeOf('setting'), single: true }, { label: 'setting', value: 1 }, request);

/** A step of an import: an entry with an id of its own, whatever is there. */
const importTag = async ({ store, typeOf }: Instance): Promise<unknown> => {
  await store.counters.raise('api::tag.tag', 90);
  const changes = {
    ...noChanges,
    values: new Map<string, string | Date>([
      ['label', 'imported'],
      ['createdAt', new Date()],
      ['updatedAt', new Date()],
    ]),
  };
  return store.replace(typeOf('tag'), [insertedDocument(typeOf('tag'), 90, changes)]);
};

/** Reads lists and totals that later lists of the same instance must not be taken from. */
const list =
  (...types: readonly string[]): Run =>
  (instance) =>
    Promise.all(types.map((type) => instance.list(instance.typeOf(type))));

const quote = (source: number): object => ({ __component: 'part.quote', text: 'other', source });
const subject = (id: number): object => ({ __type: 'api::tag.tag', id });

/** Writes of every kind to the few entries of the seed, so that nearly all of them meet. */
const table: Readonly<Record<string, Run>> = {
  'article 1: scalars': update('article', 1, { title: 'new', views: 1 }),
  'article 1: other scalars': update('article', 1, { title: 'newer' }),
  'article: create with all': create('article', { label: 'new', card: 1, author: 1, tags: [1], code: 'x9' }),
  'article 1: title if unchanged': renameUnchanged(1, 'one', 'checked'),
  'article x9: upsert': upsertArticle('x9', { label: 'new', title: 'upserted' }),
  'article 1: delete': remove('article', 1),
  'article 4: unpublish': update('article', 4, { publishedAt: null }),
  'article 5: publish': update('article', 5, { publishedAt: new Date(0).toISOString() }),
  'article 4: saves title': save(4, { title: 'saved' }),
  'article 4: saves tags 1 2 and card 1': save(4, { tags: [1, 2], card: 1 }),
  'article 4: saves the title that is published': save(4, { title: 'four' }),
  'article 4: publishes the copy': publish(4),
  'article 4: asks to publish': ask(4),
  'article 4: publishes what was asked for': publishAsked(4),
  'article 4: sends back': sendBack(4),
  'article 4: withdraws the request': withdraw(4),
  'article 5: asks to publish': ask(5),
  'article 5: publishes what was asked for': publishAsked(5),
  'article 5: title': update('article', 5, { title: 'written' }),
  'article 5: publishes the draft': publish(5),
  'article 4: discards the copy': discard(4),
  'article 4: scalars': update('article', 4, { title: 'put', views: 4 }),
  'article 4: delete': remove('article', 4),
  'article 1: saves code x9 and author 2': save(1, { code: 'x9', author: 2 }),
  'articles: list': list('article'),
  'tags: list': list('tag'),
  'pages: list': list('page'),
  'article 2: code x9': update('article', 2, { code: 'x9' }),
  'article 2: key k9 in a component': update('article', 2, { seo: { text: 'two', key: 'k9' } }),
  'article 3: key k9 in a component': update('article', 3, { seo: { text: 'three', key: 'k9' } }),
  'article 1: source through a component': update('article', 1, { seo: { text: 'seo', source: 2 } }),
  'article 1: source through a zone': update('article', 1, { blocks: [quote(2)] }),
  'article 2: takes card 1': update('article', 2, { card: 1 }),
  'article 3: takes card 1': update('article', 3, { card: { connect: [1] } }),
  'article 2: takes card 3': update('article', 2, { card: 3 }),
  'article 3: takes card 3': update('article', 3, { card: 3 }),
  'article 1: lets card 1 go': update('article', 1, { card: { disconnect: [1] } }),
  'card 1: takes article 2': update('card', 1, { article: 2 }),
  'card 2: takes article 1': update('card', 2, { article: { connect: [1] } }),
  'card 1: delete': remove('card', 1),
  'author 1: sets articles 2 3': update('author', 1, { articles: [2, 3] }),
  'author 2: sets articles 1 2': update('author', 2, { articles: [1, 2] }),
  'author 1: connects article 4': update('author', 1, { articles: { connect: [4] } }),
  'author 1: disconnects article 1': update('author', 1, { articles: { disconnect: [1] } }),
  'author 1: delete': remove('author', 1),
  'article 1: author 2': update('article', 1, { author: 2 }),
  'article 3: author 1': update('article', 3, { author: 1 }),
  'article 1: sets tags 2 3': update('article', 1, { tags: [2, 3] }),
  'article 1: connects tag 3, disconnects tag 1': update('article', 1, { tags: { connect: [3], disconnect: [1] } }),
  'tag 1: sets articles 3 4': update('tag', 1, { articles: [3, 4] }),
  'tag 1: sets articles 4 2': update('tag', 1, { articles: [4, 2] }),
  'tag 1: sets articles 3': update('tag', 1, { articles: [3] }),
  'article 2: sets tags 1 2': update('article', 2, { tags: [1, 2] }),
  'article 3: sets tags 1 2': update('article', 3, { tags: [1, 2] }),
  'tag 1: places article 4 after article 2': update('tag', 1, {
    articles: { connect: [{ id: 4, position: { after: 2 } }] },
  }),
  'tag 1: places article 4 first': update('tag', 1, { articles: { connect: [{ id: 4, position: { start: true } }] } }),
  'tag 1: places article 4 before article 2': update('tag', 1, {
    articles: { connect: [{ id: 4, position: { before: 2 } }] },
  }),
  'tag 1: delete': remove('tag', 1),
  'tag: import': importTag,
  'author 4: restore': restore('author', 4),
  'author 4: remove for good': removeForGood('author', 4),
  'article 6: restore': restore('article', 6),
  'article 6: remove for good': removeForGood('article', 6),
  'card 2: takes remark 1': update('card', 2, { remark: 1 }),
  'card 3: takes remark 1': update('card', 3, { remark: 1 }),
  'card 1: takes remark 2': update('card', 1, { remark: 2 }),
  'remark 2: about card 1': update('remark', 2, { about: { __type: 'api::card.card', id: 1 } }),
  'remark 1: subjects tags 2 3': update('remark', 1, { subjects: [subject(2), subject(3)] }),
  'remark 3: about card 1': update('remark', 3, { about: { __type: 'api::card.card', id: 1 } }),
  'remark 3: about author 1': update('remark', 3, { about: { __type: 'api::author.author', id: 1 } }),
  'author 1: sets notes 2': update('author', 1, { notes: [2] }),
  'author 1: connects note 2': update('author', 1, { notes: { connect: [2] } }),
  'tag 1: sets remarks 2 3': update('tag', 1, { remarks: [2, 3] }),
  'remark 1: delete': remove('remark', 1),
  'page 1: price and title': update('page', 1, { price: 5, title: 'new' }),
  'page 2 (fr of 1): price and stock': update('page', 2, { price: 6, stock: 2 }),
  'page 1: add de': (instance) => localize(instance, 1, { label: 'p1de', slug: 'eins', locale: 'de', price: 7 }),
  'page 2: add de': (instance) => localize(instance, 2, { label: 'p1de', slug: 'zwei', locale: 'de' }),
  'page 1: delete': remove('page', 1),
  'page 2 (fr of 1): delete': remove('page', 2),
  'page 1: saves price and title': save(1, { price: 8, title: 'saved' }, 'page'),
  'page 1: publishes the copy': publish(1, 'page'),
  'page 1: unpublish': update('page', 1, { publishedAt: null }),
  // Of a draft, so that the price waits.
  'page 2 (fr of 1): saves price and title': save(2, { price: 9, title: 'saved' }, 'page'),
  'page 2 (fr of 1): publishes the draft': publish(2, 'page'),
  'page 3: serial s9': update('page', 3, { serial: 's9' }),
  'page 1: serial s9': update('page', 1, { serial: 's9' }),
  'page 1: key k8 in a component': update('page', 1, { seo: { text: 'one', key: 'k8' } }),
  'page 2 (fr of 1): key k8 in a component': update('page', 2, { seo: { text: 'deux', key: 'k8' } }),
  'setting: save': saveSetting,
  'cover of article 1: file 2': link('cover', 2),
  'gallery of article 1: file 2': link('gallery', 2),
  'gallery of article 1: file 3': link('gallery', 3),
  'file 2: delete': remove('plugin::upload.file', 2),
};

export const operations: readonly Operation[] = Object.entries(table).map(([name, run]) => ({ name, run }));

/** @throws if there is none of this name */
export function operationOf(name: string): Operation {
  const found = [...operations, ...batches, ...codeTransactions, ...conditional, ...newEntries].find(
    (operation) => operation.name === name,
  );
  if (found === undefined) throw new Error(`unknown operation "${name}"`);
  return found;
}
