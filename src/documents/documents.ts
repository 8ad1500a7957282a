import { AppError } from '../errors/app-error.js';
import type { ContentType } from '../content-types/types.js';
import type { Shape } from '../mongo/assemble.js';
import type { Page } from '../mongo/store.js';
import { id as idField, type Filter, type Query, type Selection } from '../query/ast.js';
import type { StoredValue } from '../query/write.js';
import { chain, imposePublicationState, type Action, type Caller, type Interceptor } from './interceptors.js';
import { forgetWrites } from './references.js';
import { encodeData, writeEntry, type WriteContext } from './write-entry.js';

type Data = Readonly<Record<string, unknown>>;

/** How an entry is wanted: by whom, in which form, and what of it. */
export interface Asked {
  readonly caller: Caller;
  readonly shape: Shape;
  readonly selection: Selection;
}

/** The documents service: what can be done with entries, whatever the transport. */
export interface Documents {
  find(query: Query, caller: Caller, shape: Shape): Promise<Page>;
  /** @throws AppError notFound */
  findOne(type: ContentType, id: number, asked: Asked): Promise<unknown>;
  /** The entry of a single type. @throws AppError notFound */
  findSingle(query: Query, caller: Caller, shape: Shape): Promise<unknown>;
  count(type: ContentType, filter: Filter | undefined): Promise<number>;
  /** Gives the new entry. @throws AppError validation, invalidValue, missingRelations */
  create(type: ContentType, data: unknown, asked: Asked): Promise<unknown>;
  /** Changes what is given, and gives the entry. @throws AppError notFound, validation, invalidValue, missingRelations */
  update(type: ContentType, id: number, data: unknown, asked: Asked): Promise<unknown>;
  /** Changes the entry of a single type, or creates it. */
  updateSingle(type: ContentType, data: unknown, asked: Asked): Promise<unknown>;
  /** Gives the entry as it was. @throws AppError notFound */
  delete(type: ContentType, id: number, asked: Asked): Promise<unknown>;
  deleteSingle(type: ContentType, asked: Asked): Promise<unknown>;
}

export function createDocuments(context: WriteContext, interceptors: readonly Interceptor[] = []): Documents {
  const { registry, store, validator } = context;
  const intercept = chain([imposePublicationState, ...interceptors]);

  async function findFirst(query: Query, action: Action, caller: Caller, shape: Shape): Promise<unknown> {
    const { entries } = await store.find(intercept({ ...query, pagination: first }, { action, caller }), shape);
    if (entries.length === 0) throw new AppError('notFound');
    return entries[0];
  }

  const findOne = (
    type: ContentType,
    id: number,
    { caller, shape, selection }: Asked,
    action: Action,
  ): Promise<unknown> => findFirst({ ...all(type), ...selection, filter: idIs(id) }, action, caller, shape);

  /** The id of a single type's entry. */
  async function findSingleId(type: ContentType): Promise<number | undefined> {
    const { entries } = await store.find({ ...all(type), pagination: first }, onlyId);
    return entries[0] as number | undefined;
  }

  async function isDraft(type: ContentType, id: number): Promise<boolean> {
    const publishedAt = type.attributes.get('publishedAt');
    const fields = publishedAt?.kind === 'scalar' ? [publishedAt] : [];
    const { entries } = await store.find({ ...all(type), fields, filter: idIs(id), pagination: first }, onlyAttributes);
    const [entry] = entries as Data[];
    if (entry === undefined) throw new AppError('notFound');
    return type.draftAndPublish && entry['publishedAt'] === null;
  }

  async function create(type: ContentType, data: unknown, asked: Asked): Promise<unknown> {
    const now = new Date();
    const published = type.draftAndPublish ? withPublishedAt(data, now) : data;
    const draft = type.draftAndPublish && (published as Data)['publishedAt'] === null;
    const valid = validator.validate(type, draft ? 'draft' : 'create', published);
    const encoded = await encodeData(context, type, valid, true);
    const also = new Map([...system(encoded.values, type), ['createdAt', now], ['updatedAt', now]] as const);
    const id = await writeEntry(context, type, undefined, encoded, also);
    return findOne(type, id, asked, 'create');
  }

  async function update(type: ContentType, id: number, data: unknown, asked: Asked): Promise<unknown> {
    const valid = await validateUpdate(type, id, data);
    const encoded = await encodeData(context, type, valid, false);
    const also = new Map([...system(encoded.values, type), ['updatedAt', new Date()]] as const);
    await writeEntry(context, type, id, encoded, also);
    return findOne(type, id, asked, 'update');
  }

  /** What is good for a published entry is good for a draft, so the entry is looked at only when it is not. */
  async function validateUpdate(type: ContentType, id: number, data: unknown): Promise<Data> {
    try {
      return validator.validate(type, 'update', data);
    } catch (error) {
      if (!(await isDraft(type, id))) throw error;
      return validator.validate(type, 'draft', data);
    }
  }

  async function remove(type: ContentType, id: number, asked: Asked): Promise<unknown> {
    const entry = await findOne(type, id, asked, 'delete');
    const found = await store.apply([{ kind: 'remove', type, id }, ...forgetWrites(type, id, registry.contentTypes)]);
    if (found === 0) throw new AppError('notFound');
    return entry;
  }

  return {
    find: (query, caller, shape) => store.find(intercept(query, { action: 'find', caller }), shape),
    findOne: (type, id, asked) => findOne(type, id, asked, 'findOne'),
    findSingle: (query, caller, shape) => findFirst(query, 'findSingle', caller, shape),
    count: (type, filter) => store.count(type, filter),
    create,
    update,
    updateSingle: async (type, data, asked) => {
      const id = await findSingleId(type);
      return id === undefined ? create(type, data, asked) : update(type, id, data, asked);
    },
    delete: remove,
    deleteSingle: async (type, asked) => {
      const id = await findSingleId(type);
      if (id === undefined) throw new AppError('notFound');
      return remove(type, id, asked);
    },
  };
}

const first = { form: 'offset', start: 0, limit: 1, withCount: false } as const;

const all = (type: ContentType): Query => ({
  type,
  fields: [],
  populate: [],
  filter: undefined,
  sort: [],
  pagination: first,
  publicationState: undefined,
});

const idIs = (id: number): Filter => ({ kind: 'comparison', field: idField, operator: '$eq', operands: [id] });

const plain = { one: (entry: unknown) => entry, many: (entries: readonly unknown[]) => entries };
const onlyId: Shape = {
  ...plain,
  entry: (id) => id,
  get morph() {
    return this;
  },
};
const onlyAttributes: Shape = {
  ...plain,
  entry: (_, attributes) => attributes,
  get morph() {
    return this;
  },
};

/** New entries are published, unless they say that they are not. */
function withPublishedAt(data: unknown, now: Date): unknown {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return data;
  const { publishedAt } = data as Data;
  return { ...data, publishedAt: publishedAt === undefined ? now.toISOString() : publishedAt };
}

/** `_live` follows `publishedAt`. */
function system(
  values: ReadonlyMap<string, StoredValue | undefined>,
  type: ContentType,
): readonly (readonly [string, StoredValue | undefined])[] {
  if (!type.draftAndPublish || !values.has('publishedAt')) return [];
  return [['_live', values.get('publishedAt') === undefined ? undefined : 1]];
}
