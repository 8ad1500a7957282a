import { changeOf } from '../../query/change.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import type { DependentWrite, PrimaryWrite } from '../../query/mutation.js';
import { isRefusal } from '../errors.js';
import type { Missing } from '../read/missing-targets.js';
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
  const { deferred = [], targets = new Map(), condition, independent = false } = options;
  await transactions.settle();
  const isAlone = isOne([primary, ...dependants, ...deferred]);
  if (!isAlone || transactions.current() !== undefined) {
    const { unlocked, ...executed } = await transactions.joinOrRepeat((transaction) => {
      const execute = (): Promise<Executed> => executeWrites(parts, transaction, { ...options, primary, dependants });
      // A new entry that changes no other one needs no turn: several can be inserted together.
      const needsTurn = !isAlone || (primary.kind !== 'insert' && !independent);
      return needsTurn ? transaction.inTurn(execute) : execute();
    });
    return { ...executed, missing: await findMissing(unlocked) };
  }
  const changes = [changeOf(primary)];
  try {
    const matched = await writeOne(parts, primary, condition);
    const [, missing] = await Promise.all([versions.raise(changes), findMissing(targets)]);
    return { matched, response: undefined, missing };
  } catch (error) {
    // It may have been applied nevertheless. The client need not wait for this.
    if (!isRefusal(error)) void versions.raise(changes).catch(() => undefined);
    throw error;
  }
}
