import type { Data } from '../../../src/config/record.js';
import { AppError } from '../../../src/errors/app-error.js';
import { parseKey } from '../../../src/query/parse/parse-key.js';
import { request } from '../world/seed.js';
import type { Instance } from '../world/world.js';
import type { Operation } from './operation.js';

/** A write to the entry that has a key at that moment: usually one that a batch creates. */
const at =
  (name: string, value: string, run: (instance: Instance, id: number) => Promise<unknown>): Operation['run'] =>
  async (instance) => {
    const [type, attribute = ''] = name.split('.');
    const [entry] = await instance.entries.findMany(`api::${type}.${type}`, { filters: { [attribute]: value } });
    if (entry === undefined) throw new AppError('notFound');
    return run(instance, Number((entry as Data)['id']));
  };

const key = { attribute: 'code', value: 'x9' };

const byKey =
  (mode: 'update' | 'upsert', data: object): Operation['run'] =>
  ({ documents, typeOf }) => {
    const type = typeOf('article');
    return documents.update({ type, key, filter: parseKey(key, type) }, data, request, { mode });
  };

const table: Readonly<Record<string, Operation['run']>> = {
  'article x9: title by key': byKey('update', { title: 'keyed' }),
  'article x9: upsert tags': byKey('upsert', { label: 'upserted', tags: [1, 2] }),
  'article x9: title by id': at('article.code', 'x9', ({ documents, typeOf }, id) =>
    documents.update({ type: typeOf('article'), id }, { title: 'one' }, request),
  ),
  'article x9: title of many': ({ documents, typeOf }) => {
    const type = typeOf('article');
    return documents.updateMany(type, parseKey(key, type), { title: 'many' }, request);
  },
  'article x9: delete by id': at('article.code', 'x9', ({ documents, typeOf }, id) =>
    documents.delete({ type: typeOf('article'), id }, request),
  ),
  'article x9: delete by key': ({ documents, typeOf }) => {
    const type = typeOf('article');
    return documents.delete({ type, key, filter: parseKey(key, type) }, request);
  },
  'articles x9: delete many': ({ documents, typeOf }) => {
    const type = typeOf('article');
    return documents.deleteMany(type, parseKey(key, type), request);
  },
  'tag 2: connects article x9': at('article.code', 'x9', ({ documents, typeOf }, id) =>
    documents.update({ type: typeOf('tag'), id: 2 }, { articles: { connect: [id] } }, request),
  ),
  'article 3: connects tag newer': at('tag.label', 'newer', ({ documents, typeOf }, id) =>
    documents.update({ type: typeOf('article'), id: 3 }, { tags: { connect: [id] } }, request),
  ),
};

/** Writes of entries that batches create, or give the key of others. */
export const newEntries: readonly Operation[] = Object.entries(table).map(([name, run]) => ({ name, run }));

/** The batches that do it. */
export const creatingBatches = [
  'batch: article with card 1, tag and author 1',
  'batch: article 1 releases code x1',
  'batch: article 2 takes code x9, article 3 key k9',
  'batch: code x1 refused to article 2',
];
