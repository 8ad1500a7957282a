import type { ContentType } from '../content-types/types.js';
import { AppError } from '../errors/app-error.js';
import type { Form, Text } from '../mongo/answers.js';
import type { Shape } from '../mongo/assemble.js';
import type { Explanation } from '../mongo/explain-read.js';
import type { Page } from '../mongo/page.js';
import type { Filter, Query } from '../query/ast.js';
import type { Caller } from './caller.js';
import type { Asked, DocumentsContext } from './context.js';
import { createEntry, type CreateOptions } from './create.js';
import { deleteEntry } from './delete.js';
import { joinHooks, type DocumentHooks } from './hooks.js';
import { chain, imposePublicationState, type Interceptor } from './interceptors.js';
import { askFor, findFirst, findSingleId, first, withId } from './read.js';
import { keepWithinRights } from './rights.js';
import { updateEntry } from './update.js';

/** The documents service: what can be done with entries, whatever the transport. */
export interface Documents {
  find(query: Query, caller: Caller, shape: Shape): Promise<Page>;
  /** A list as a transport writes it, remembered until something changes where `RESPONSE_CACHE` says so. */
  answer(query: Query, caller: Caller, form: Form): Promise<Text>;
  /** @throws AppError notFound */
  findOne(type: ContentType, id: number, asked: Asked): Promise<unknown>;
  /** The entry of a single type. @throws AppError notFound */
  findSingle(query: Query, caller: Caller, shape: Shape): Promise<unknown>;
  /** How the database answers a list, or the read of a single type's entry. */
  explain(query: Query, caller: Caller): Promise<Explanation>;
  /** How the database answers the read of one entry. */
  explainOne(type: ContentType, id: number, asked: Asked): Promise<Explanation>;
  count(type: ContentType, filter: Filter | undefined): Promise<number>;
  /** Gives the new entry. @throws AppError validation, invalidValue, missingRelations */
  create(type: ContentType, data: unknown, asked: Asked, options?: CreateOptions): Promise<unknown>;
  /** Changes what is given, and gives the entry. @throws AppError notFound, validation, invalidValue, missingRelations */
  update(type: ContentType, id: number, data: unknown, asked: Asked): Promise<unknown>;
  /** Changes the entry of a single type, or creates it. */
  updateSingle(type: ContentType, data: unknown, asked: Asked, options?: CreateOptions): Promise<unknown>;
  /** Gives the entry as it was. @throws AppError notFound */
  delete(type: ContentType, id: number, asked: Asked): Promise<unknown>;
  /** A draft is not found, as in Strapi v4. @throws AppError notFound */
  deleteSingle(type: ContentType, asked: Asked): Promise<unknown>;
}

/** What plugins and owners add to the service. */
export interface Additions {
  readonly interceptors?: readonly Interceptor[];
  readonly hooks?: readonly DocumentHooks[];
}

/** The service on a store. Rights come first, then the publication state, then what plugins add. */
export function createDocuments(
  parts: Pick<DocumentsContext, 'registry' | 'store' | 'validator' | 'passwords'>,
  { interceptors = [], hooks = [] }: Additions = {},
): Documents {
  const intercept = chain([keepWithinRights, imposePublicationState, ...interceptors]);
  const context: DocumentsContext = { ...parts, intercept, hooks: joinHooks(hooks) };
  const { store } = parts;
  return {
    find: (query, caller, shape) => store.find(intercept(query, { action: 'find', caller }), shape, caller.recipient),
    answer: (query, caller, form) => store.answer(intercept(query, { action: 'find', caller }), form, caller.recipient),
    findOne: (type, id, asked) =>
      findFirst(context, withId(askFor(context, type, 'findOne', asked), id), asked.shape, asked.caller.recipient),
    findSingle: (query, caller, shape) =>
      findFirst(context, intercept(query, { action: 'findSingle', caller }), shape, caller.recipient),
    explain: (query, caller) =>
      store.explain(
        query.type.kind === 'singleType'
          ? first(intercept(query, { action: 'findSingle', caller }))
          : intercept(query, { action: 'find', caller }),
      ),
    explainOne: (type, id, asked) => store.explain(first(withId(askFor(context, type, 'findOne', asked), id))),
    count: (type, filter) => store.count(type, filter),
    create: (type, data, asked, options) => createEntry(context, type, data, asked, options),
    update: (type, id, data, asked) => updateEntry(context, type, id, data, asked),
    updateSingle: async (type, data, asked, options) => {
      const id = await findSingleId(context, type, 'preview', asked);
      if (id !== undefined) return updateEntry(context, type, id, data, asked);
      // There may be one that an interceptor hides, e.g. in another locale.
      if ((await store.count(type, undefined)) > 0) throw new AppError('invalidValue', 'singleType.alreadyExists');
      return createEntry(context, type, data, asked, options);
    },
    delete: (type, id, asked) => deleteEntry(context, type, id, asked),
    deleteSingle: async (type, asked) => {
      const id = await findSingleId(context, type, 'live', asked);
      if (id === undefined) throw new AppError('notFound');
      return deleteEntry(context, type, id, asked);
    },
  };
}
