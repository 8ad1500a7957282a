import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import type { EntryRequest } from '../../documents/context.js';
import { plainEntry } from '../../query/entry-presenter.js';
import { taken } from '../../documents/write/taken-values.js';
import type { Filter } from '../../query/ast.js';
import { hasCode } from '../../errors/app-error.js';
import type { Named, Runtime } from '../strapi.js';

/** Writes without validation and events. */
export interface Writes {
  /** @returns the id of the new entry */
  create(data: Named): Promise<number>;
  /** @returns whether the entry exists */
  update(id: number, data: Named): Promise<boolean>;
  /** @returns the number of matching entries */
  updateMany(filter: Filter | undefined, data: Named): Promise<number>;
  /** @returns whether the entry exists */
  delete(id: number): Promise<boolean>;
  /** @returns the number of deleted entries */
  deleteMany(filter: Filter | undefined): Promise<number>;
}

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

/** The event of a write; as recorded, `strapi.db.query` has none. @param id undefined for a new entry */
export type EventOf = (id: number | undefined) => EntryRequest['event'];

/** @param describe converts an error about the data @param limitedBy see `EntryRequest` */
export function createWrites(
  type: () => ContentType,
  runtime: () => Runtime,
  caller: Caller,
  describe: (error: unknown) => unknown = databaseError,
  eventOf: EventOf = () => 'none',
  limitedBy: Caller = caller,
): Writes {
  const translate = (error: unknown): never => {
    throw describe(error);
  };
  const missing = (error: unknown): false => (hasCode(error, 'notFound') ? false : translate(error));
  const requestFor = (id: number | undefined): EntryRequest => {
    const event = eventOf(id) ?? 'none';
    return { caller, limitedBy, presenter: plainEntry, selection: idOnly, event };
  };
  const options = { publish: false, raw: true } as const;
  return {
    create: async (data) => {
      const created = await runtime().documents.create(type(), data, requestFor(undefined), options).catch(translate);
      return (created as { readonly id: number }).id;
    },
    update: async (id, data) =>
      runtime()
        .documents.update({ type: type(), id }, data, requestFor(id), options)
        .then(() => true, missing),
    updateMany: async (filter, data) =>
      runtime().documents.updateMany(type(), filter, data, requestFor(undefined)).catch(translate),
    delete: async (id) =>
      runtime()
        .documents.delete({ type: type(), id }, requestFor(id))
        .then(() => true, missing),
    deleteMany: async (filter) =>
      runtime().documents.deleteMany(type(), filter, requestFor(undefined), requestFor).catch(translate),
  };
}
