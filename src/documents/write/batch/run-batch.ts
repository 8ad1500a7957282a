import { isRecord } from '../../../config/record.js';
import { groupBy } from '../../../config/group-by.js';
import { isLocalizations, isLocalized } from '../../../content-types/model/localized.js';
import type { Attribute, ContentType } from '../../../content-types/model/types.js';
import { AppError } from '../../../errors/app-error.js';
import { isExclusive, isStoredInTarget } from '../../../mongo/stored/relation.js';
import type { Transaction } from '../../../mongo/transactions/transaction.js';
import { idIn } from '../../../query/ast.js';
import type { EntryName } from '../../../query/mutation.js';
import { emptyQuery, type DocumentsContext, type EntryRequest } from '../../context.js';
import { noListeners } from '../../events/audiences.js';
import { queryFor, requireVisible } from '../../read.js';
import { createEntry } from '../create.js';
import { deleteEntry } from '../delete.js';
import { generatesUids } from '../generate-uids.js';
import { updateTarget } from '../target.js';
import { updateEntry } from '../update.js';
import type { Operation } from './operation.js';
import { reserveIds, type ReservedIds } from './reserve-ids.js';
import { idOf, resolveNames } from './resolve-names.js';

/**
 * Executes operations one after the other in one transaction: all of them happen, or none. Each is executed as if it were sent alone; creations that
 * do not depend on each other share commands. A dry run executes them too, and aborts. Returns the entries of their responses.
 * @param contextOf the context of an operation
 * @throws AppError that names the operation
 */
export async function runBatch(
  contextOf: (type: ContentType, request: EntryRequest) => DocumentsContext,
  operations: readonly Operation[],
): Promise<readonly unknown[]> {
  const [first] = operations;
  if (first === undefined) return [];
  const context = contextOf(first.type, first.request);
  const { transactions, counters } = inBatch(context).store;
  const parts = operations.map((operation, index): Part => {
    const { type, request } = operation;
    return { operation, index, context: inBatch(contextOf(type, request)) };
  });
  const changed = operations.flatMap((operation) => {
    const { type } = operation;
    return operation.kind === 'create' ? [] : [{ collection: type.collectionName, id: operation.id, uid: type.uid }];
  });
  const execute = async (transaction: Transaction): Promise<readonly unknown[]> => {
    const ids = await reserveIds(counters, operations);
    await transaction.inTurn(() => transaction.lockToChange(changed, ids.keys));
    // Before the first write, as the client has not seen what the batch itself changes.
    for (const [index, operation] of operations.entries())
      if (operation.kind !== 'create') await naming(index, () => operation.check?.());
    return readAgain(parts, await executeAll(parts, ids));
  };
  if (context.isDryRun !== true) return transactions.run(execute);
  const transaction = transactions.open();
  try {
    const entries = await transactions.within(transaction, () => execute(transaction));
    return entries.map((entry, index) => (operations[index]?.kind === 'create' ? withoutId(entry) : entry));
  } finally {
    await transaction.abort();
  }
}

/** An operation with its place in the batch, and its context. */
interface Part {
  readonly operation: Operation;
  readonly index: number;
  readonly context: DocumentsContext;
}

async function executeAll(parts: readonly Part[], ids: ReservedIds): Promise<readonly unknown[]> {
  const named = new Map<string, EntryName>();
  const entries: unknown[] = [];
  for (const together of turnsOf(parts)) {
    const counters = ids.countersOf(together.map(({ operation }) => operation));
    const outcomes = await Promise.allSettled(
      together.map(({ operation, index, context }, place) =>
        naming(index, () => execute(withCounters(context, counters[place]), operation, named)),
      ),
    );
    for (const [place, outcome] of outcomes.entries()) {
      if (outcome.status === 'rejected') throw outcome.reason;
      entries.push(outcome.value);
      const { operation } = together[place] as Part;
      if (operation.kind === 'create' && operation.as !== undefined)
        named.set(operation.as, { type: operation.type, id: (outcome.value as NewEntry).id });
    }
  }
  return entries;
}

/**
 * The entries as they are after the batch: a later operation can have localized an entry of an earlier one, or changed values that both share.
 * One read for each localized type.
 */
async function readAgain(parts: readonly Part[], entries: readonly unknown[]): Promise<readonly unknown[]> {
  const present = [...entries];
  for (const [type, own] of groupBy(parts, ({ operation }) => operation.type)) {
    const [first] = own;
    const isAlone = own.length < 2 || own.every(({ operation }) => createsGroup(operation));
    if (first === undefined || isAlone || !isLocalized(type)) continue;
    const { request } = first.operation;
    const places = new Map(
      own
        .filter(({ operation }) => operation.kind !== 'delete')
        .map(({ index }) => [(entries[index] as NewEntry).id, index]),
    );
    const query = queryFor(first.context, type, 'update', request);
    const pagination = { ...emptyQuery(type).pagination, limit: places.size };
    const page = await first.context.store.find({ ...query, filter: idIn([...places.keys()]), pagination });
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

/** Whether it creates an entry that has no localizations yet. */
const createsGroup = (operation: Operation): boolean =>
  operation.kind === 'create' && operation.localizationOf === undefined;

const withCounters = (context: DocumentsContext, counters = context.store.counters): DocumentsContext => ({
  ...context,
  store: { ...context.store, counters },
});

/** Parts that are executed together, and others each by itself. */
function turnsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const turns: Part[][] = [];
  for (const part of parts) {
    const last = turns.at(-1);
    const former = last?.at(-1);
    if (former !== undefined && areIndependent(former, part)) last?.push(part);
    else turns.push([part]);
  }
  return turns;
}

const areIndependent = (former: Part, { operation, context }: Part): boolean =>
  [former.operation, operation].every(changesNoOther) &&
  former.operation.type === operation.type &&
  !(former.operation.kind === 'create' && former.operation.as !== undefined) &&
  // It sees in which order they are executed.
  !context.hooks.runsCode(operation.type);

/** Whether it only creates an entry: nothing in its data is stored in another one, or taken from another one, and no value depends on those before it. */
function changesNoOther(operation: Operation): boolean {
  if (operation.kind !== 'create' || operation.localizationOf !== undefined) return false;
  const { type, data } = operation;
  if (generatesUids(type)) return false;
  const isElsewhere = (attribute: Attribute | undefined): boolean =>
    (attribute?.kind === 'relation' && (isExclusive(attribute) || isLocalizations(attribute, type))) ||
    isStoredInTarget(attribute);
  return isRecord(data) && !Object.keys(data).some((name) => isElsewhere(type.attributes.get(name)));
}

/** @throws AppError that names the operation */
async function naming<T>(index: number, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof AppError
      ? error.within(`operations[${index}]`, ['operations', String(index), 'data'])
      : error;
  }
}

/** What follows the writes waits for the end of the batch. A dry run announces nothing. */
function inBatch(context: DocumentsContext): DocumentsContext {
  const { isDryRun = false, audiences, stored = context } = context;
  if (!isDryRun) return { ...context, isBatch: true };
  const silent = { log: { ...audiences.log, isOn: () => false }, listeners: noListeners };
  return { ...stored, isBatch: true, audiences: { ...audiences, ...silent } };
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
