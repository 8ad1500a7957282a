import type { ContentType } from '../../../content-types/model/types.js';
import { AppError } from '../../../errors/app-error.js';
import type { LazyEntry } from '../../../query/entry-presenter.js';
import { withId, type Query } from '../../../query/ast.js';
import type { DocumentsContext, EntryRequest } from '../../context.js';
import { first } from '../../read.js';
import { findTaken } from '../taken-values.js';
import type { EncodedEntry } from '../encode.js';
import type { EntryWrite, WritePlan } from '../plan-writes.js';

/** The number of a new entry or component that gets no id; JSON shows it as null, and no other number equals it. */
const NO_ID = Number.NaN;
/** Above all ranks, with space for further ones. */
const FIRST_RANK = 2 ** 52;

/** A context for writes that are checked and not stored: no number is reserved, and no hook runs after them. */
export const dryRunOf = (context: DocumentsContext): DocumentsContext => ({
  ...context,
  isDryRun: true,
  store: {
    ...context.store,
    counters: {
      ...context.store.counters,
      reserve: async () => ({ id: NO_ID, rank: FIRST_RANK }),
      release: async () => undefined,
    },
    componentIds: {
      ...context.store.componentIds,
      reserve: async (counts) => new Map([...counts.keys()].map((uid) => [uid, NO_ID])),
      release: () => undefined,
    },
    apply: () => Promise.reject(new Error('a dry run stores nothing')),
  },
});

/** @throws AppError lifecyclesRun for a dry run through code of the project, which might write */
export function refuseCode({ hooks }: DocumentsContext, type: ContentType, { dryRun }: EntryRequest): void {
  if (dryRun === true && hooks.runsCode(type)) throw new AppError('lifecyclesRun', type.uid);
}

/**
 * The entry as the write would store it. Entries that other entries refer to are read as they are stored.
 * @throws AppError validation for values that are not unique, notFound, foreignComponent, invalidValue, badRequest
 */
export async function previewEntry(
  context: DocumentsContext,
  { primary, inserted }: WritePlan,
  { encoded, query, conditions }: EntryWrite,
): Promise<LazyEntry> {
  const { type, id, kind } = primary;
  refuseOtherSides(query, encoded);
  const issues = await findTaken(context, type, encoded.input, kind === 'insert' ? undefined : id);
  if (issues.length > 0) throw new AppError('validation', issues);
  const { store } = context;
  const selected = first(kind === 'insert' ? query : withId(query, id));
  const entry = inserted ?? (await store.preview(primary, selected, conditions?.only));
  if (entry === undefined) throw new AppError('notFound');
  return entry;
}

/** A relation that other entries store cannot be read as the write would change it. @throws AppError badRequest */
function refuseOtherSides({ populate }: Query, { otherSides }: EncodedEntry): void {
  const changed = new Set(otherSides.map(({ attribute }) => attribute.name));
  const shown = populate.find(({ attribute }) => changed.has(attribute.name));
  if (shown === undefined) return;
  const { name } = shown.attribute;
  throw new AppError(
    'badRequest',
    `populate[${name}] is not supported with dryRun: the write changes other entries by ${name}`,
  );
}
