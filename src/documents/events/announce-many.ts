import lodash from 'lodash';
import type { ContentType } from '../../content-types/model/types.js';
import { both, idIn, type Filter } from '../../query/ast.js';
import type { DocumentsContext } from '../context.js';
import { findIds } from '../read.js';
import { afterCommit } from '../write/finish-write.js';
import { isRecorded } from './event-names.js';

/** Entries with events that are opened, found and closed together. */
const BATCH = 1000;

/**
 * Records the events of one change of many entries: of those that it found, which have its time. As in Strapi v4 no webhook receives
 * them.
 * @param written the `updatedAt` that the change sets
 */
export async function announceMany<T>(
  context: DocumentsContext,
  type: ContentType,
  ids: readonly number[],
  written: Date,
  change: () => Promise<T>,
): Promise<T> {
  const { log } = context.audiences;
  if (!log.isOn() || !isRecorded(type)) return change();
  const events = await inBatches(ids, async (batch) =>
    Promise.all(
      batch.map(async (id) => ({ id, event: await log.open({ type, id, action: 'update', written, names: [] }) })),
    ),
  );
  const transaction = context.store.transactions.current();
  transaction?.onAbort(() => Promise.all(events.map(({ event }) => event.discard())));
  const result = await change();
  await afterCommit(
    context.store,
    async () =>
      void (await inBatches(events, async (batch) => {
        const changed = new Set(await findIds(context, type, changedAt(type, batch, written)));
        return Promise.all(
          batch.map(({ id, event }) => (changed.has(id) ? event.complete(undefined) : event.discard())),
        );
      })),
  );
  return result;
}

function changedAt(type: ContentType, events: readonly { readonly id: number }[], written: Date): Filter | undefined {
  const field = type.attributes.get('updatedAt');
  const ids = idIn(events.map(({ id }) => id));
  if (field?.kind !== 'scalar') return ids;
  return both(ids, { kind: 'comparison', field, operator: '$eq', operands: [written] });
}

async function inBatches<T, R>(
  items: readonly T[],
  work: (batch: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const results: R[] = [];
  for (const batch of lodash.chunk(items, BATCH)) results.push(...(await work(batch)));
  return results;
}
