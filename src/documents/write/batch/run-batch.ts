import { isRecord } from '../../../config/record.js';
import { groupBy } from '../../../config/group-by.js';
import { isLocalized } from '../../../content-types/model/localized.js';
import { AppError, hasCode } from '../../../errors/app-error.js';
import type { Store } from '../../../mongo/store.js';
import type { LoggedKey } from '../../../mongo/transactions/apply-changes.js';
import type { Transaction } from '../../../mongo/transactions/transaction.js';
import type { Counters, Reserved } from '../../../mongo/write/counters.js';
import { idIn } from '../../../query/ast.js';
import type { EntryName } from '../../../query/mutation.js';
import { emptyQuery, type DocumentsContext } from '../../context.js';
import { noListeners } from '../../events/audiences.js';
import { openDataCount, type DataBounds } from '../../input/data-bounds.js';
import { queryFor, requireVisible } from '../../read.js';
import { refuseCode } from '../conditional/dry-run.js';
import { createEntry } from '../create.js';
import { deleteEntry } from '../delete.js';
import { updateTarget } from '../target.js';
import { updateEntry } from '../update.js';
import { idOf, resolveNames } from './resolve-names.js';
import { turnsOf, type Operation } from './turns.js';

/**
 * Executes operations one after the other in one transaction: all of them happen, or none. Each is executed as if it
 * were sent alone; creations, and updates, that do not depend on each other share commands. A dry run executes them
 * too, and aborts. Returns the entries of their responses.
 * @throws AppError that names the operation
 */
export async function runBatch(
  outside: DocumentsContext,
  operations: readonly Operation[],
): Promise<readonly unknown[]> {
  if (operations.length === 0) return [];
  for (const { type, request } of operations) refuseCode(outside, type, request);
  const isDryRun = operations.some(({ request }) => request.dryRun === true);
  const context = inBatch(outside, isDryRun);
  const { transactions, counters } = context.store;
  const keysOf = (kind: 'update' | 'delete') =>
    operations.flatMap((operation) =>
      operation.kind === kind
        ? [{ collection: operation.type.collectionName, id: operation.id, uid: operation.type.uid }]
        : [],
    );
  const [updated, deleted] = [keysOf('update'), keysOf('delete')];
  const execute = async (transaction: Transaction): Promise<readonly unknown[]> => {
    const ids = await reserveIds(counters, operations);
    await transaction.inTurn(async () => {
      await transaction.lock([...updated, ...deleted]);
      await transaction.log(updated, ids.keys);
    });
    // Before the first write, as the client has not seen what the batch itself changes.
    for (const [index, operation] of operations.entries())
      if (operation.kind !== 'create') await naming(index, () => operation.check?.());
    return readAgain(context, operations, await executeAll(context, operations, ids));
  };
  if (!isDryRun) return transactions.run(execute);
  const entries = await transactions.tryOut(execute);
  return entries.map((entry, index) => (operations[index]?.kind === 'create' ? withoutId(entry) : entry));
}

/**
 * Counts the data of all operations together, before the first is executed.
 * @throws AppError validation that names the operation
 */
export function assertBatchBounded(dataBounds: DataBounds, operations: readonly Operation[]): void {
  const count = openDataCount(dataBounds);
  for (const [index, operation] of operations.entries()) {
    if (operation.kind === 'delete' || operation.request.unlimited === true) continue;
    try {
      count.add(operation.type, operation.data);
    } catch (error) {
      throw atOperation(index, error);
    }
  }
}

/** Reserves the ids of all entries of a type with one command. @throws AppError unavailable */
async function reserveIds(counters: Counters, operations: readonly Operation[]) {
  const keys = new Map<Operation, LoggedKey>();
  const creations = operations.filter(({ kind }) => kind === 'create');
  for (const [{ uid, collectionName: collection }, own] of groupBy(creations, ({ type }) => type)) {
    const { id } = await counters.reserve(uid, { ids: own.length, ranks: 0 });
    for (const [index, operation] of own.entries()) keys.set(operation, { collection, id: id + index, uid });
  }
  return {
    keys: [...keys.values()],
    /**
     * For each of these operations, which are executed together: gives its new entry its id, and its new links a rank,
     * so that their order is that of the operations. One that is executed alone may also reserve ranks for links of
     * other entries.
     */
    countersOf: (together: readonly Operation[]): readonly Counters[] => {
      let ranks: Promise<Reserved> | undefined;
      return together.map((operation, place) => {
        const { uid: own } = operation.type;
        const id = keys.get(operation)?.id;
        return {
          ...counters,
          reserve: async (uid, count) => {
            const isOfEntry = uid === own && (together.length > 1 || (id !== undefined && count.ids > 0));
            if (!isOfEntry) return counters.reserve(uid, count);
            if (count.ranks > 0) ranks ??= counters.reserve(uid, { ids: 0, ranks: together.length });
            return { id: id ?? 0, rank: ranks === undefined ? 0 : (await ranks).rank + place };
          },
          release: async () => undefined,
        };
      });
    },
  };
}

/** The ids of the entries that a batch creates. If it is refused, they stay unused. */
type ReservedIds = Awaited<ReturnType<typeof reserveIds>>;

async function executeAll(
  context: DocumentsContext,
  operations: readonly Operation[],
  ids: ReservedIds,
): Promise<readonly unknown[]> {
  const named = new Map<string, EntryName>();
  const entries: unknown[] = [];
  for (const together of turnsOf(operations, context.hooks.runsCode)) {
    const counters = ids.countersOf(together);
    const begin = entries.length;
    const outcomes = await Promise.allSettled(
      together.map((operation, place) =>
        naming(begin + place, () => execute(contextOf(context, together, counters[place]), operation, named)),
      ),
    );
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    if (refusals.length > 0) throw allOf(refusals);
    for (const [place, outcome] of outcomes.entries()) {
      if (outcome.status === 'rejected') continue;
      entries.push(outcome.value);
      const operation = together[place];
      if (operation?.kind === 'create' && operation.as !== undefined)
        named.set(operation.as, { type: operation.type, id: (outcome.value as NewEntry).id });
    }
  }
  return entries;
}

/** The first refusal of operations that are executed together, with the details of all if each is about data. */
function allOf(refusals: readonly unknown[]): unknown {
  const [first] = refusals;
  const issues = refusals.flatMap((refusal) => (hasCode(refusal, 'validation') ? [refusal.issues] : []));
  if (!(first instanceof AppError) || issues.length < refusals.length) return first;
  return Object.assign(new AppError('validation', issues.flat()), { message: first.message });
}

/**
 * The entries as they are after the batch: a later operation can have localized an entry of an earlier one, or changed
 * values that both share. One read for each localized type.
 */
async function readAgain(
  context: DocumentsContext,
  operations: readonly Operation[],
  entries: readonly unknown[],
): Promise<readonly unknown[]> {
  const present = [...entries];
  for (const [type, own] of groupBy([...operations.entries()], ([, operation]) => operation.type)) {
    const [first] = own;
    // A new entry has no localizations yet.
    const isAlone =
      own.length < 2 ||
      own.every(([, operation]) => operation.kind === 'create' && operation.localizationOf === undefined);
    if (first === undefined || isAlone || !isLocalized(type)) continue;
    const { request } = first[1];
    const places = new Map(
      own
        .filter(
          ([
            ,
            {
              kind,
              request: { status },
            },
          ]) => kind !== 'delete' && status !== 'draft',
        )
        .map(([index]) => [(entries[index] as NewEntry).id, index]),
    );
    const query = queryFor(context, type, 'update', request);
    const pagination = { ...emptyQuery(type).pagination, limit: places.size };
    const page = await context.store.find({ ...query, filter: idIn([...places.keys()]), pagination });
    for (const entry of page.entries) {
      const shown = entry(request.presenter) as NewEntry;
      present[places.get(shown.id) as number] = shown;
    }
  }
  return present;
}

interface NewEntry {
  readonly id: number;
}

/** The context of one of the operations that are executed together. */
function contextOf(
  context: DocumentsContext,
  { length }: readonly Operation[],
  counters = context.store.counters,
): DocumentsContext {
  const { store } = context;
  const apply: Store['apply'] = (writes, options) => store.apply(writes, { ...options, independent: length > 1 });
  return { ...context, store: { ...store, counters, apply } };
}

/** @throws AppError that names the operation */
async function naming<T>(index: number, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw atOperation(index, error);
  }
}

/** The error of an operation, which it names. */
const atOperation = (index: number, error: unknown): unknown =>
  error instanceof AppError ? error.within(`operations[${index}]`, ['operations', String(index), 'data']) : error;

/** What follows the writes waits for the end of the batch. A dry run announces nothing. */
function inBatch(context: DocumentsContext, isDryRun: boolean): DocumentsContext {
  const { audiences } = context;
  const silent = { ...audiences, log: { ...audiences.log, isOn: () => false }, listeners: noListeners };
  return { ...context, isBatch: true, audiences: isDryRun ? silent : audiences };
}

async function execute(
  context: DocumentsContext,
  operation: Operation,
  named: ReadonlyMap<string, EntryName>,
): Promise<unknown> {
  const { type, request } = operation;
  switch (operation.kind) {
    case 'create': {
      const { data, localizationOf } = operation;
      const resolved = resolveNames(data, type.attributes, named);
      if (localizationOf === undefined) {
        if (type.kind === 'collectionType') return createEntry(context, type, resolved, request);
        return (await updateTarget(context, { type, single: true }, resolved, request, { mode: 'create' })).entry;
      }
      const source =
        typeof localizationOf === 'string' ? idOf(localizationOf, type, named, ['localizationOf']) : localizationOf;
      await requireVisible(context, type, source, request.caller, 'findOne');
      return createEntry(context, type, resolved, request, { publish: false, localizationOf: source });
    }
    case 'update': {
      const { id, data } = operation;
      return updateEntry(context, type, id, resolveNames(data, type.attributes, named), request);
    }
    case 'delete':
      return deleteEntry(context, type, operation.id, request);
    default:
      return operation satisfies never;
  }
}

/** A new entry of a dry run gets no id. */
const withoutId = (entry: unknown): unknown => (isRecord(entry) ? { ...entry, id: null } : entry);
