import type { ContentType } from './schema.js';

/** What can be done with several entries at once. */
export type BulkAction = 'publish' | 'unpublish' | 'delete';

interface Selected {
  readonly id: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The actions that the user may take for entries of a type. */
export function bulkActions({ plain, draftAndPublish, attributes, actions }: ContentType): readonly BulkAction[] {
  // A batch writes content only.
  if (plain) return [];
  const published = attributes.find(({ name }) => name === 'publishedAt');
  return [
    ...(draftAndPublish && published?.update === true ? (['publish', 'unpublish'] as const) : []),
    ...(actions.includes('delete') ? (['delete'] as const) : []),
  ];
}

/** The entries that an action changes: a published one is not published again. */
export const changedBy = <T extends Selected>(action: BulkAction, entries: readonly T[]): readonly T[] =>
  action === 'delete'
    ? entries
    : entries.filter(({ attributes }) => (attributes['publishedAt'] === null) === (action === 'publish'));

/** The operations of a batch that takes an action. */
export const operationsOf = (
  { path }: ContentType,
  action: BulkAction,
  entries: readonly Selected[],
  now: Date,
): readonly object[] =>
  entries.map(({ id }) =>
    action === 'delete'
      ? { delete: path, id }
      : { update: path, id, data: { publishedAt: action === 'publish' ? now.toISOString() : null } },
  );

/** Why a batch was refused. */
export interface Refusal {
  /** The position of its operation; undefined: it is about all of them. */
  readonly index: number | undefined;
  readonly message: string;
}

interface Refused {
  readonly message: string;
  readonly details?: unknown;
}

/** The reasons in the error of a batch, which begin with the position of an operation: `operations[1].data.title: …`. */
export function refusalsOf({ message, details }: Refused): readonly Refusal[] {
  const errors = (details as { readonly errors?: readonly ErrorItem[] } | null | undefined)?.errors ?? [];
  const listed = errors.flatMap(({ path: [list, index, , ...path] = [], message: text }) =>
    list === 'operations' && index !== undefined
      ? [{ index: Number(index), message: path.length === 0 ? text : `${path.join('.')}: ${text}` }]
      : [],
  );
  if (listed.length > 0) return listed;
  const [, index, text = message] = /^operations\[(\d+)\](?:\.data)?[.:]\s*(.*)$/s.exec(message) ?? [];
  return [{ index: index === undefined ? undefined : Number(index), message: text }];
}

interface ErrorItem {
  readonly path?: readonly (string | number)[];
  readonly message: string;
}
