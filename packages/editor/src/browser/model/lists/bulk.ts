import type { Issue } from '../rules.js';
import { mayPublish, type ContentType } from '../schema.js';

/** What can be done with several entries at once. */
export type BulkAction = 'publish' | 'unpublish' | 'delete';

interface Selected {
  readonly id: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly changes?: readonly string[];
}

/** The actions that the user may take for entries of a type. */
export function bulkActions(type: ContentType): readonly BulkAction[] {
  // A batch writes content only.
  if (type.plain) return [];
  return [
    ...(mayPublish(type, false) ? (['publish', 'unpublish'] as const) : []),
    ...(type.actions.includes('delete') ? (['delete'] as const) : []),
  ];
}

/** Whether readers see the entry, what is prepared of it, or nothing. */
export type EntryState = 'draft' | 'published' | 'modified';

export const stateOf = ({ attributes, changes }: Omit<Selected, 'id'>): EntryState =>
  attributes['publishedAt'] === null ? 'draft' : changes === undefined ? 'published' : 'modified';

/** The entries that an action changes: of those that are published only what is prepared is published. */
export function changedBy<T extends Selected>(action: BulkAction, entries: readonly T[]): readonly T[] {
  if (action === 'delete') return entries;
  const unchanged: EntryState = action === 'publish' ? 'published' : 'draft';
  return entries.filter((entry) => stateOf(entry) !== unchanged);
}

/** The operations of a batch that takes an action. What is published is checked as a whole. */
export const operationsOf = (
  { path }: ContentType,
  action: BulkAction,
  entries: readonly Pick<Selected, 'id'>[],
): readonly object[] =>
  entries.map(({ id }) => {
    if (action === 'delete') return { delete: path, id };
    const change = action === 'publish' ? { status: 'published', data: {} } : { data: { publishedAt: null } };
    return { update: path, id, ...change };
  });

/** Why a batch was refused. */
export interface Refusal {
  /** The position of its operation; undefined: it is about all of them. */
  readonly index: number | undefined;
  /** What is wrong with values of the entry; of other reasons the path is empty. */
  readonly issue: Issue;
}

interface Refused {
  readonly message: string;
  readonly details?: unknown;
}

/** The reasons in the error of a batch, whose paths begin with the position of an operation. */
export function refusalsOf({ message, details }: Refused): readonly Refusal[] {
  const errors = (details as { readonly errors?: readonly ErrorItem[] } | null | undefined)?.errors ?? [];
  const listed = errors.flatMap(({ path: [list, index, , ...path] = [], message: text }) =>
    list === 'operations' && index !== undefined
      ? [{ index: Number(index), issue: { path: path.join('.'), message: text } }]
      : [],
  );
  return listed.length > 0 ? listed : [{ index: undefined, issue: { path: '', message } }];
}

/** What was refused, with its reasons; undefined: all of it was. */
export interface RefusedEntry<T> {
  readonly entry: T | undefined;
  readonly issues: readonly Issue[];
}

/** The reasons of a refused batch by its entries. */
export const byEntry = <T>(refusals: readonly Refusal[], sent: readonly T[]): readonly RefusedEntry<T>[] =>
  [...new Set(refusals.map(({ index }) => index))].map((index) => ({
    entry: index === undefined ? undefined : sent[index],
    issues: refusals.filter((refusal) => refusal.index === index).map(({ issue }) => issue),
  }));

interface ErrorItem {
  readonly path?: readonly (string | number)[];
  readonly message: string;
}
