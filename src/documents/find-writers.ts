import type { ContentType, ScalarAttribute } from '../content-types/model/types.js';
import { AppError } from '../errors/app-error.js';
import { CREATED_BY, UPDATED_BY } from '../mongo/stored/writers.js';
import { both } from '../query/ast.js';
import { plainEntry } from '../query/entry-presenter.js';
import type { Caller } from './caller.js';
import type { DocumentsContext } from './context.js';
import { findEntry, queryFor } from './read.js';

/** The ids of the users who created and last changed an entry; null: it was no user. */
export interface Writers {
  readonly createdBy: number | null;
  readonly updatedBy: number | null;
}

/** These fields are no attributes, so queries of clients cannot name them. */
const fieldOf = (name: string): ScalarAttribute =>
  ({ kind: 'scalar', name, type: 'integer', unique: false, searchable: false }) as ScalarAttribute;

/** For callers who may change the entry. @throws AppError forbidden, notFound */
export async function findWriters(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  caller: Caller,
): Promise<Writers> {
  if (!caller.may(`${type.uid}.update`)) throw new AppError('forbidden');
  const selection = { fields: [fieldOf(CREATED_BY), fieldOf(UPDATED_BY)], populate: [] };
  const query = queryFor(context, type, 'update', { caller, presenter: plainEntry, selection });
  const filter = both(query.filter, context.limitOf(type, 'update', caller));
  const stored = (await findEntry(context, { ...query, filter }, id))(plainEntry);
  const { [CREATED_BY]: createdBy, [UPDATED_BY]: updatedBy } = stored as Readonly<Record<string, number | null>>;
  return { createdBy: createdBy ?? null, updatedBy: updatedBy ?? null };
}
