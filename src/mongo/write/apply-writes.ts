import { changeOf } from '../../query/change.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import type { DependentWrite, PrimaryWrite } from '../../query/mutation.js';
import { isRefusal } from '../errors.js';
import type { Missing } from '../read/missing-targets.js';
import type { Transaction } from '../transactions/transaction.js';
import { executeWrites, type Executed, type WriteOptions } from './execute-writes.js';
import { isOne, writeOne, type WriteParts } from './write-one.js';

export interface WriteResult {
  /** How many entries the primary write found. */
  readonly matched: number;
  /** The entry of the response query; undefined if none was read. */
  readonly response: LazyEntry | undefined;
  /** The targets that do not exist any more. */
  readonly missing: Missing;
}

/**
 * Applies the writes of one operation: all of them happen, or none. The first one decides: if it finds no entry, there are no others. A write of one entry
 * is one command. Others run in a transaction: in that of the caller, or in one of their own, which is repeated while others have locked the entries.
 * @throws the driver's error of a refused write, see `duplicateOf`; Locked; AppError as `changeEntry`
 */
export async function applyWrites(
  parts: WriteParts,
  [primary, ...dependants]: readonly [PrimaryWrite, ...DependentWrite[]],
  options: WriteOptions = {},
): Promise<WriteResult> {
  const { transactions, versions, findMissing } = parts;
  const { deferred = [], targets = new Map(), condition } = options;
  await transactions.settle();
  const isAlone = isOne([primary, ...dependants, ...deferred]);
  const isSingle = transactions.current() === undefined && isAlone;
  const changes = [primary, ...dependants, ...deferred].map(changeOf);
  const execute = (transaction: Transaction): Promise<Executed> => {
    const run = (): Promise<Executed> => executeWrites(parts, transaction, { ...options, primary, dependants });
    // A new entry that changes no other one needs no turn: several can be inserted together.
    return isAlone && primary.kind === 'insert' ? run() : transaction.inTurn(run);
  };
  try {
    if (isSingle) {
      const matched = await writeOne(parts, primary, condition);
      const [, missing] = await Promise.all([versions.raise(changes), findMissing(targets)]);
      return { matched, response: undefined, missing };
    }
    const executed = await transactions.joinOrRepeat(execute);
    return { ...executed, missing: await findMissing(executed.unlocked) };
  } catch (error) {
    // The writes may have been applied nevertheless. The client need not wait for this.
    if (isSingle && !isRefusal(error)) void versions.raise(changes).catch(() => undefined);
    throw error;
  }
}
