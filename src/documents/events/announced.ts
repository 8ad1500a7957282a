import lodash from 'lodash';
import { AppError, hasCode } from '../../errors/app-error.js';
import { isRefusal } from '../../mongo/errors.js';
import type { Store } from '../../mongo/store.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import type { Announcement } from './audiences.js';

/** Whether an error shows that nothing was written: after others, the database may have executed the write. */
const isRefused = (error: unknown): boolean =>
  isRefusal(error) || (error instanceof AppError && !hasCode(error, 'unavailable', 'outOfTime'));

interface Steps<W, R> {
  /** Records one of the events, before the write. */
  readonly record: (announcement: Announcement, index: number) => Promise<void>;
  readonly write: () => Promise<W>;
  /** The answer to a refused write; default: the error. */
  readonly explain?: (refusal: unknown) => unknown;
  /** Whether the write with this index was done; default: all were. */
  readonly isDone?: (written: W, index: number) => boolean;
  /** What follows the write. */
  readonly finish: (written: W) => Promise<R>;
  /** The entry that the events contain; undefined: it could not be read. */
  readonly entryOf: (result: R) => LazyEntry | undefined;
}

/**
 * Does a write with its events, and closes each of them, whatever happens: all writes of entries go through here. An
 * event is discarded if its write was not done, and completed otherwise, also if what follows the write fails. Inside a
 * transaction that is when it ends. Only where the database did not tell whether it executed the write, recovery finds
 * out. @throws what the steps throw
 */
export async function announced<W, R>(
  { transactions }: Pick<Store, 'transactions'>,
  announcements: readonly (Announcement | undefined)[],
  { record, write, explain = (refusal) => refusal, isDone = () => true, finish, entryOf }: Steps<W, R>,
): Promise<R> {
  const events = announcements.flatMap((announcement, index) =>
    announcement === undefined ? [] : [{ announcement, index }],
  );
  const transaction = transactions.current();
  const discard = (some: readonly Event[]): Promise<void> =>
    inBatches(some, async ({ announcement }) => announcement.discard());
  // The error that came first is the answer; an event that stays is found by recovery.
  const discardAfterError = (): Promise<void> => discard(events).catch(() => undefined);
  if (events.length > 0) transaction?.onAbort(() => discard(events));
  await inBatches(events, ({ announcement, index }) => record(announcement, index)).catch(async (error: unknown) => {
    await discardAfterError();
    throw error;
  });
  const written = await write().catch(async (error: unknown) => {
    if (!isRefused(error)) throw error;
    await discardAfterError();
    throw await explain(error);
  });
  const [done, undone] = lodash.partition(events, ({ index }) => isDone(written, index));
  const complete = async (entry: LazyEntry | undefined): Promise<void> => {
    const work = (): Promise<void> => inBatches(done, async ({ announcement }) => announcement.complete(entry));
    if (transaction === undefined) await work();
    else if (done.length > 0) transaction.onCommit(work);
  };
  let result: R;
  try {
    // Inside a transaction the entry stays locked until the end, so that its events have the order of its writes.
    await inBatches(done, async ({ announcement }) => announcement.confirm());
    await discard(undone);
    result = await finish(written);
  } catch (error) {
    await complete(undefined).catch(() => undefined);
    throw error;
  }
  await complete(entryOf(result));
  return result;
}

interface Event {
  readonly announcement: Announcement;
  readonly index: number;
}

/** Events that are recorded, confirmed and closed together. */
const BATCH = 1000;

/** Does work on all of these, also after an error. @throws the first error */
async function inBatches<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const refusals: unknown[] = [];
  for (const batch of lodash.chunk(items, BATCH))
    for (const outcome of await Promise.allSettled(batch.map(work)))
      if (outcome.status === 'rejected') refusals.push(outcome.reason);
  if (refusals.length > 0) throw refusals[0];
}
