import lodash from 'lodash';
import type { Data } from '../../../../config/record.js';
import { createIdSet } from '../../../../mongo/maintenance/check/id-set.js';
import type { Workspace } from '../../../../mongo/maintenance/import-workspace.js';
import type { EntryItem, FileItem } from '../source.js';
import type { RowIndex } from './row-index.js';

/** Rows that are read together. */
const BATCH = 500;

/**
 * The entries of an archive of Strapi 5. Where an entry has a draft beside what is published, both rows are one item;
 * they can be far apart, because each publication makes a new row. Entries that are drafts alone come last of their
 * type, so that a published one keeps a unique value, or a target, that a draft wants as well. Rows that wait are put
 * aside in the database, so that memory use stays constant. Rows that are no entries are left out.
 */
export async function* joinRows(
  items: AsyncIterable<EntryItem | FileItem>,
  rows: RowIndex,
  workspace: Workspace,
): AsyncGenerator<EntryItem | FileItem> {
  let joining: ReturnType<typeof joinType> | undefined;
  for await (const item of items) {
    const type = item.kind === 'entry' && rows.has(item.type) ? item.type : undefined;
    if (joining !== undefined && joining.type !== type) {
      yield* joining.end();
      joining = undefined;
    }
    if (item.kind !== 'entry' || type === undefined) yield item;
    else {
      joining ??= joinType(type, rows, workspace);
      yield* joining.add(item);
    }
  }
  if (joining !== undefined) yield* joining.end();
}

/** Joins the rows of one type. */
function joinType(type: string, rows: RowIndex, workspace: Workspace) {
  const aside = createIdSet();
  const drafts: number[] = [];
  let batch: EntryItem[] = [];
  const keyOf = (row: number): string => `${type} ${row}`;
  const otherOf = ({ id }: EntryItem): number | undefined => {
    const { published, draft } = rows.entryOf(type, id) ?? {};
    return published === id ? draft : published;
  };
  const isDraft = ({ id }: EntryItem): boolean => rows.entryOf(type, id)?.draft === id;
  const take = async (ids: readonly number[]): Promise<ReadonlyMap<number, EntryItem>> => {
    const shelved = await workspace.take(ids.map(keyOf));
    return new Map(
      ids.flatMap((id) => (shelved.has(keyOf(id)) ? [[id, unshelved(shelved.get(keyOf(id)))] as const] : [])),
    );
  };
  const join = async (): Promise<readonly EntryItem[]> => {
    const read = batch.filter(({ id }) => rows.entryOf(type, id) !== undefined);
    batch = [];
    const waiting = await take(read.flatMap((item) => otherOf(item) ?? []).filter((id) => aside.has(id)));
    const seen = new Map(waiting);
    const shelving = new Map<string, Data>();
    const joined = read.flatMap((item): readonly EntryItem[] => {
      const row = otherOf(item);
      const other = row === undefined ? undefined : seen.get(row);
      seen.set(item.id, item);
      if (other !== undefined) return [isDraft(item) ? { ...other, draft: item } : { ...item, draft: other }];
      if (row === undefined && !isDraft(item)) return [item];
      if (row === undefined) drafts.push(item.id);
      shelving.set(keyOf(item.id), shelf(item));
      return [];
    });
    for (const item of joined) for (const { id } of [item, item.draft ?? item]) shelving.delete(keyOf(id));
    for (const [key] of shelving) aside.add(Number(key.slice(type.length)));
    await workspace.shelve(shelving);
    return joined;
  };
  return {
    type,
    add: async function* (item: EntryItem): AsyncGenerator<EntryItem> {
      batch.push(item);
      if (batch.length === BATCH) yield* await join();
    },
    /** The entries that remain. */
    end: async function* (): AsyncGenerator<EntryItem> {
      yield* await join();
      for (const ids of lodash.chunk(drafts, BATCH)) {
        const taken = await take(ids);
        for (const id of ids) yield* [taken.get(id) ?? []].flat();
      }
    },
  };
}

/** As JSON: names in values of attributes can be any text. */
const shelf = (item: EntryItem): Data => ({ json: JSON.stringify(item) });
const unshelved = (shelved: Data = {}): EntryItem => JSON.parse(String(shelved['json'])) as EntryItem;
