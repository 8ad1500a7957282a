import { AppError } from '../../../src/errors/app-error.js';
import { recorded } from '../../support/recorded.js';
import { request } from '../world/seed.js';
import type { Instance } from '../world/world.js';
import type { Operation } from './operation.js';

/** A request with an `Idempotency-Key`. */
const keyed =
  (key: string, write: (instance: Instance) => Promise<unknown>): Operation['run'] =>
  (instance) =>
    instance.keys.once(key, key, async () => recorded(await write(instance)));

const table: Readonly<Record<string, Operation['run']>> = {
  'article 1: delete if unchanged': ({ documents, entries, typeOf }) => {
    const check = async (): Promise<void> => {
      const { title } = await entries.findOne('api::article.article', 1);
      if (title !== 'one') throw new AppError('preconditionFailed', 'The entry has changed');
    };
    return documents.delete({ type: typeOf('article'), id: 1 }, request, check);
  },
  'tag: create with a key': keyed('tag', ({ documents, typeOf }) =>
    documents.create(typeOf('tag'), { label: 'keyed', articles: [1, 2] }, request),
  ),
  'keyed batch: tag, article 1': keyed('batch', ({ documents, typeOf }) =>
    documents.batch([
      { kind: 'create', type: typeOf('tag'), as: 't', data: { label: 'keyed' }, request },
      { kind: 'update', type: typeOf('article'), id: 1, data: { title: 'keyed', tags: ['$t'] }, request },
      { kind: 'update', type: typeOf('article'), id: 2, data: { code: 'x8' }, request },
    ]),
  ),
};

/** Writes under a condition of the client, beside those among the other operations. */
export const conditional: readonly Operation[] = Object.entries(table).map(([name, run]) => ({
  name,
  run,
  isBatch: name.startsWith('keyed batch'),
}));
