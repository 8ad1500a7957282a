import type { ContentType } from '../../content-types/model/types.js';
import { system } from '../../documents/caller.js';
import { emptyQuery } from '../../documents/context.js';
import type { Documents } from '../../documents/documents.js';
import { presentList } from '../../documents/read-operation.js';
import { idIn, isScalar, NO_LIMIT } from '../../query/ast.js';
import { plainEntry, type EntryPresenter } from '../../query/entry-presenter.js';
import type { QueryInput } from '../../query/parse/input.js';
import { anyValues } from '../../query/plugin-parameters.js';
import { attributesFor } from '../../query/visibility.js';

/** The form of the entries in a reply. */
export interface EntryForm {
  /** Whose names requests can use, and replies have. */
  readonly audience: 'client' | 'documents';
  readonly presenter: EntryPresenter;
  /** Names in data that are not stored are refused, not ignored. */
  readonly refusesUnknown?: true;
  /** Checks the names in the query of a read, before it is parsed. @throws AppError */
  readonly checkQuery?: (query: QueryInput, type: ContentType) => void;
}

/** Plain records, as in Strapi v4's routes of users and files. */
export const plainForm: EntryForm = { audience: 'client', presenter: plainEntry };

/** Records of entries that a plugin has read or written, with what else a form shows of them. */
export async function inForm<T extends { readonly id: number }>(
  documents: Documents,
  type: ContentType,
  records: readonly T[],
  { audience, presenter }: EntryForm = plainForm,
): Promise<readonly T[]> {
  const fields = [...attributesFor(type, audience)]
    .filter(([name, attribute]) => type.attributes.get(name) !== attribute)
    .flatMap(([, attribute]) => (isScalar(attribute) ? [attribute] : []));
  if (fields.length === 0 || records.length === 0) return records;
  const query = {
    ...emptyQuery(type),
    fields,
    populate: [],
    filter: idIn(records.map(({ id }) => id)),
    parameters: anyValues(type),
    pagination: { form: 'offset', start: 0, limit: NO_LIMIT, withCount: false },
  } as const;
  const { entries } = await documents.read({ action: 'find', query, caller: system, presenter }, presentList);
  const further = new Map((entries as readonly T[]).map((entry) => [entry.id, entry]));
  return records.map((record) => ({ ...record, ...further.get(record.id) }));
}
