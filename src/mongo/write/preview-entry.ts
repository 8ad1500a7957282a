import type { Db, Document } from 'mongodb';
import type { Query } from '../../query/ast.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import type { PrimaryWrite } from '../../query/mutation.js';
import { compileQuery } from '../compile/read/compile-query.js';
import { executeRead, type ReadOptions } from '../read/execute-read.js';
import { openDraft } from '../stored/draft.js';
import { insertedDocument } from '../stored/inserted-document.js';
import { changeEntry } from './change-entry.js';
import { entriesOf } from '../transactions/settle.js';

/**
 * The entry of a query as a write would store it; undefined if the write would not find it. The database reads the computed document as if it were stored.
 * @throws AppError as `changeEntry`
 */
export async function previewEntry(
  db: Db,
  write: PrimaryWrite & { readonly kind: 'insert' | 'update' },
  query: Query,
  condition: Document | undefined,
  options: ReadOptions,
): Promise<LazyEntry | undefined> {
  const document =
    write.kind === 'insert' ? insertedDocument(write.id, write.changes) : await changed(db, write, condition, options);
  if (document === undefined) return undefined;
  const plan = compileQuery(query);
  const { main } = plan;
  // A facet returns one document, also for an empty collection.
  const source = [{ $facet: { any: [{ $limit: 1 }] } }, { $replaceWith: { $literal: document } }, ...main.source];
  return (await executeRead(db, { ...plan, main: { ...main, id: undefined, source } }, options)).entries[0];
}

async function changed(
  db: Db,
  { type, id, changes }: PrimaryWrite & { readonly kind: 'update' },
  condition: Document = {},
  { timeout: maxTimeMS }: ReadOptions,
): Promise<Document | undefined> {
  const options = { maxTimeMS, promoteValues: false, readPreference: 'primary' } as const;
  const stored = await entriesOf(db, type.collectionName).findOne({ $and: [{ _id: id }, condition] }, options);
  if (stored === null) return undefined;
  const draft = openDraft(stored);
  changeEntry(draft, type, changes);
  return draft.document();
}
