import { Locked } from '../../mongo/transactions/wait.js';
import type { StrapiContext, StrapiDatabase } from '../strapi.js';

/**
 * `strapi.db.transaction`: writes of the callback happen all, or none if it throws or calls `rollback`. Calls inside of
 * another one join it, and do not end it. Without a callback, the writes that follow in the same function are part of
 * it until `commit` or `rollback`.
 */
export const createTransaction =
  (runtime: StrapiContext['runtime']): StrapiDatabase['transaction'] =>
  (work) => {
    const { transactions } = runtime('strapi.db.transaction').store;
    const around = transactions.current();
    const transaction = around ?? transactions.open();
    const isOpen = (): boolean => transaction.state === 'open' || transaction.state === 'failed';
    // After the end a second one does nothing, as in Strapi.
    const end = async (how: 'commit' | 'abort'): Promise<void> => {
      if (around === undefined && isOpen()) await transactions.within(undefined, () => transaction[how]());
    };
    const commit = (): Promise<void> => end('commit');
    const rollback = (): Promise<void> => end('abort');
    if (work === undefined) {
      transactions.enter(transaction);
      return Promise.resolve({ commit, rollback, get: () => transaction });
    }
    const onCommit = (work: () => unknown): void => transaction.onCommit(work);
    const onRollback = (work: () => unknown): void => transaction.onAbort(work);
    return transactions.within(transaction, async () => {
      try {
        const result: unknown = await work({ trx: transaction, commit, rollback, onCommit, onRollback });
        await commit();
        return result;
      } catch (error) {
        await rollback();
        // The reason may be what another process had undone.
        throw transaction.isTakenOver ? new Locked() : error;
      }
    });
  };
