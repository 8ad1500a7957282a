import type { ContentType } from '../../../content-types/model/types.js';
import { AppError, hasCode } from '../../../errors/app-error.js';
import type { KeyUse } from '../../../mongo/coordination/idempotency-keys.js';
import { duplicateOf } from '../../../mongo/errors.js';
import type { BatchOperation } from '../../../mongo/write/entry-writes.js';
import type { BatchKey } from '../../../mongo/write/batch/apply-batch.js';
import { isPrimary } from '../../../mongo/write/execute-write.js';
import type { DocumentsContext, EntryRequest } from '../../context.js';
import { createEntry } from '../create.js';
import { deleteEntry } from '../delete.js';
import type { Counters } from '../../../mongo/write/counters.js';
import { removeReferenceWrites } from '../references.js';
import { updateEntry } from '../update.js';
import { openGate, type Gate, type Submitted } from './gate.js';
import type { Operation } from './operation.js';
import { createPlannedEntries } from './planned-entries.js';
import type { PlannedEntries } from './planned.js';
import { recordable, showRecorded } from './recorded-entries.js';
import { reserveAhead } from './reserve-ids.js';
import { resolveNames, type NamedEntry } from './resolve-names.js';

/** An operation that is checked, and waits at its gate. */
interface Waiting {
  readonly operation: Operation;
  readonly gate: Gate;
  readonly submitted: Submitted;
  /** The entry of its response. */
  readonly result: Promise<unknown>;
}

/**
 * Executes operations so that all of them happen, or none. Each is checked as if it were sent alone, up to its write; then all writes are applied
 * together, and each operation does what follows its write. Returns the entries of their responses, after the batch.
 * @param contextOf the context of an operation
 * @param key the key by which the client can repeat the request: it is executed once
 * @throws AppError that names the operation
 */
export async function runBatch(
  contextOf: (type: ContentType, request: EntryRequest) => DocumentsContext,
  operations: readonly Operation[],
  key?: KeyUse,
): Promise<readonly unknown[]> {
  const recorded = key?.entries();
  if (recorded !== undefined) return showRecorded(contextOf, operations, recorded);
  const [firstOperation] = operations;
  if (firstOperation === undefined) return [];
  const { store } = contextOf(firstOperation.type, firstOperation.request);
  const planned = createPlannedEntries(store);
  const counters = reserveAhead(store.counters, countCreations(operations));
  const named = new Map<string, NamedEntry>();
  const waiting: Waiting[] = [];
  const previews: unknown[] = [];
  for (const [index, operation] of operations.entries()) {
    const context = contextOf(operation.type, operation.request);
    try {
      if (context.isDryRun === true) previews.push(await preview(context, planned, { ...operation, index }, named));
      else waiting.push(await prepare(context, planned, operation, counters, named));
    } catch (error) {
      await refuseAll(waiting);
      throw inOperation(error, index);
    }
  }
  if (waiting.length === 0) return previews;
  const keyed = key && {
    use: key,
    entries: waiting.map(({ operation, submitted }) => recordable(operation, submitted, planned)),
  };
  return apply(contextOf(firstOperation.type, firstOperation.request), waiting, keyed);
}

/** The response to an operation of a dry run. */
async function preview(
  context: DocumentsContext,
  planned: PlannedEntries,
  operation: Operation & { readonly index: number },
  named: Map<string, NamedEntry>,
): Promise<unknown> {
  const entry = await execute(checking(context, planned), operation, named);
  const { kind, type, index } = operation;
  if (kind === 'create' && operation.as !== undefined) {
    planned.nameLast(FIRST_UNUSED + index);
    named.set(operation.as, { type, id: FIRST_UNUSED + index });
  }
  return entry;
}

function countCreations(operations: readonly Operation[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, type } of operations) if (kind === 'create') counts.set(type.uid, (counts.get(type.uid) ?? 0) + 1);
  return counts;
}

/** Executes an operation up to its write. */
async function prepare(
  context: DocumentsContext,
  planned: PlannedEntries,
  operation: Operation,
  counters: Counters,
  named: Map<string, NamedEntry>,
): Promise<Waiting> {
  const gate = openGate(context.store.apply);
  const checks = checking(context, planned);
  // Numbers are not returned: an entry that is undone may have been seen.
  const componentIds = { ...context.store.componentIds, release: () => undefined };
  const gated = { ...checks, store: { ...checks.store, counters, componentIds, apply: gate.apply } };
  const result = execute(gated, operation, named);
  const submitted = await Promise.race([gate.reached, result.then(() => undefined)]);
  const [primary] = submitted?.writes ?? [];
  if (submitted === undefined || primary === undefined || !isPrimary(primary))
    throw new Error('an operation of a batch must write its entry once');
  if (operation.kind === 'create' && operation.as !== undefined) named.set(operation.as, primary);
  return { operation, gate, submitted, result };
}

/** The context of an operation that follows others. */
const checking = (context: DocumentsContext, planned: PlannedEntries): DocumentsContext => ({
  ...context,
  planned,
  store: {
    ...context.store,
    missing: async (targets) => planned.missing(targets, await context.store.missing(targets)),
  },
});

async function execute(
  context: DocumentsContext,
  operation: Operation,
  named: ReadonlyMap<string, NamedEntry>,
): Promise<unknown> {
  const { type, request } = operation;
  switch (operation.kind) {
    case 'create':
      return createEntry(context, type, resolveNames(operation.data, type.attributes, named), request);
    case 'update': {
      const { id, data, check } = operation;
      return updateEntry(context, type, id, resolveNames(data, type.attributes, named), request, { check });
    }
    case 'delete':
      return deleteEntry(context, type, operation.id, request, { check: operation.check });
    default:
      return operation satisfies never;
  }
}

/** Applies all writes, then lets the operations go on in their order. */
async function apply(
  context: DocumentsContext,
  waiting: readonly Waiting[],
  keyed: BatchKey | undefined,
): Promise<readonly unknown[]> {
  const operations = waiting.map((operation) => stepOf(context, operation));
  const outcome = await context.store.applyBatch(operations, keyed).catch(async (error: unknown) => {
    // Nothing was executed, or it is not clear what is decided: then the events are left to recovery.
    const isRefused = hasCode(error, 'payloadTooLarge');
    await refuseAll(waiting, isRefused ? undefined : error);
    throw error;
  });
  if (outcome.kind === 'refused') {
    const refused = waiting[outcome.step];
    const error = refused && (await reasonOf(refused, outcome.error));
    const undone = await outcome.undo().then(
      () => undefined,
      (unclear: unknown) => ({ unclear }),
    );
    await refuseAll(waiting, undone?.unclear);
    if (undone === undefined) await keyed?.use.drop();
    throw undone === undefined ? inOperation(error, outcome.step) : undone.unclear;
  }
  const entries: unknown[] = [];
  const failed: unknown[] = [];
  for (const [index, { gate, result }] of waiting.entries()) {
    gate.done({ matched: 1, response: undefined, missing: outcome.missing });
    await result.then(
      (entry) => entries.push(entry),
      // Another request has deleted the entry since.
      (error: unknown) => (hasCode(error, 'notFound') ? entries.push(null) : failed.push(inOperation(error, index))),
    );
  }
  if (failed.length > 0) throw failed[0];
  return entries;
}

function stepOf({ registry }: DocumentsContext, { submitted: { writes, options } }: Waiting): BatchOperation {
  const [primary, ...dependants] = writes;
  if (primary === undefined || !isPrimary(primary)) throw new Error('a write has no entry');
  const { deferred = [], targets = new Map(), only, unchanged, prepareEvent } = options;
  const references =
    primary.kind === 'insert' ? removeReferenceWrites(primary.type, primary.id, registry.contentTypes) : [];
  return { primary, dependants: [...dependants, ...deferred], references, targets, only, unchanged, prepareEvent };
}

/** Why an operation was refused: it finds out while the others are still stored. */
async function reasonOf({ operation, gate, result }: Waiting, error: unknown): Promise<unknown> {
  gate.refuse(duplicateOf(error) === undefined ? undefined : error);
  const reason = await result.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error !== undefined && duplicateOf(error) === undefined) return error;
  const isOvertaken = operation.kind === 'create' && hasCode(reason, 'notFound');
  return isOvertaken ? new AppError('conflict', 'Other requests write the same unique values') : reason;
}

/** The last one first. @param error undefined: nothing was stored */
async function refuseAll(waiting: readonly Waiting[], error?: unknown): Promise<void> {
  for (const { gate, result } of waiting.toReversed()) {
    gate.refuse(error);
    await result.catch(() => undefined);
  }
}

const inOperation = (error: unknown, index: number): unknown =>
  error instanceof AppError ? error.within(`operations[${index}]`, ['operations', String(index), 'data']) : error;

/** Above all ids: those of entries that a dry run does not create. */
const FIRST_UNUSED = 2 ** 52;
