import type { ContentType } from '../../content-types/model/types.js';
import { system, type Caller } from '../../documents/caller.js';
import type { EntryRequest } from '../../documents/context.js';
import type { Documents } from '../../documents/documents.js';
import { withoutDrafts } from '../../documents/hide-drafts.js';
import { plainEntry } from '../../query/entry-presenter.js';
import { taken } from '../../documents/write/taken-values.js';
import type { Filter } from '../../query/ast.js';
import { hasCode } from '../../errors/app-error.js';
import type { Named } from '../strapi.js';

/** The selection of a written entry: only its id. */
const idOnly = { fields: [], populate: [] } as const;

/** Errors in unvalidated data are treated as database errors, which clients do not see. */
function databaseError(error: unknown): unknown {
  if (!hasCode(error, 'validation', 'invalidValue')) return error;
  const issues = error.details?.errors?.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
  const message = issues.length > 0 ? issues.join('; ') : error.message;
  const isTaken = issues.some((issue) => issue.endsWith(taken([]).message));
  return new Error(isTaken ? `${message}${advice}` : message, { cause: error });
}

const advice =
  ' (an index of the database protects it from db.query as well; give each entry its own value, or remove "unique" from the definition)';

/** A call of the entity service, which has validated the data. */
export interface EntityCall {
  /** From whom some drafts are hidden; undefined: all entries exist. */
  readonly client: Caller | undefined;
  /** The event of a write; as recorded, `strapi.db.query` has none. @param id undefined for a new entry */
  readonly eventOf: ((id: number | undefined) => EntryRequest['event']) | undefined;
}

/** @param call undefined for `strapi.db.query` */
export function createWrites(type: ContentType, documents: Documents, call: EntityCall | undefined) {
  const translate = (error: unknown): never => {
    throw call === undefined ? databaseError(error) : error;
  };
  const missing = (error: unknown): false => (hasCode(error, 'notFound') ? false : translate(error));
  const limitedBy = call?.client === undefined ? system : withoutDrafts(call.client);
  const requestFor = (id: number | undefined): EntryRequest => {
    const event = call?.eventOf?.(id) ?? 'none';
    return { caller: system, limitedBy, presenter: plainEntry, selection: idOnly, event };
  };
  const options = { publish: false, raw: true } as const;
  return {
    /** @returns the id of the new entry */
    create: async (data: Named): Promise<number> => {
      const created = await documents.create(type, data, requestFor(undefined), options).catch(translate);
      return (created as { readonly id: number }).id;
    },
    /** @returns whether the entry exists */
    update: async (id: number, data: Named): Promise<boolean> =>
      documents.update({ type, id }, data, requestFor(id), options).then(() => true, missing),
    /** @returns the number of matching entries */
    updateMany: async (filter: Filter | undefined, data: Named): Promise<number> =>
      documents.updateMany(type, filter, data, requestFor(undefined)).catch(translate),
    /** @returns whether the entry exists */
    delete: async (id: number): Promise<boolean> =>
      documents.delete({ type, id }, requestFor(id)).then(() => true, missing),
    /** @returns the number of deleted entries */
    deleteMany: async (filter: Filter | undefined): Promise<number> =>
      documents.deleteMany(type, filter, requestFor(undefined), requestFor).catch(translate),
  };
}

/** Writes without validation and events. */
export type Writes = ReturnType<typeof createWrites>;
