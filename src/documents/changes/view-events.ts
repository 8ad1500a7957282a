import pLimit from 'p-limit';
import { createSingleFlight } from '../../mongo/coordination/coalesce.js';
import type { LoggedEvent } from '../../mongo/events/logged-events.js';
import type { EntryPresenter } from '../../query/entry-presenter.js';
import type { Query } from '../../query/ast.js';
import { memoize } from '../../query/memoize.js';
import type { Caller } from '../caller.js';
import type { DocumentsContext } from '../context.js';
import { findSettled } from '../read.js';

/** The view that a caller has of events on entries of one type. */
export interface ViewedEvents {
  /** The entries that the query shows now, by id. */
  readonly entries: ReadonlyMap<number, unknown>;
  /** The positions of events with an entry that matched the query before and does not match now. */
  readonly left: ReadonlySet<number>;
}

/** Milliseconds for which a feed waits for a transaction that has locked an entry: the events of others follow. */
const PATIENCE_MS = 800;

/** Reads at the same time: many readers learn of an event at once. */
const CONCURRENCY = 8;

/**
 * Reads the entries of events as a list with a query shows them to a caller. An entry that it shows neither now nor
 * before the event leaves no trace. Equal views of the same events that are requested at the same time are read once.
 */
export function createEventViewer({ intercept, store }: Pick<DocumentsContext, 'intercept' | 'store'>) {
  const limit = pLimit(CONCURRENCY);
  const viewOnce = memoize((_presenter: EntryPresenter) => createSingleFlight<ViewedEvents>());
  return async (
    query: Query,
    caller: Caller,
    presenter: EntryPresenter,
    events: readonly LoggedEvent[],
  ): Promise<ViewedEvents> => {
    const viewed = intercept(query, { action: 'find', caller, presenter });
    // The query was checked nevertheless.
    if (events.length === 0) return { entries: new Map(), left: new Set() };
    const read = async (): Promise<ViewedEvents> => {
      const ids = [...new Set(events.map(({ id }) => id))];
      // With a signal it is a client read, of limited size. The signal is never aborted: clients share the read.
      const options = { signal: new AbortController().signal, patience: PATIENCE_MS };
      const found = await findSettled(store, { ...viewed, sort: [] }, ids, options);
      const shown = found.map((entry) => entry(presenter) as { readonly id: number });
      const entries = new Map(shown.map((entry) => [entry.id, entry]));
      const others = events.filter(({ id, action }) => action !== 'create' && !entries.has(id));
      const positions = others.map(({ position }) => position);
      return { entries, left: await store.matchingBefore(viewed.type, viewed.filter, positions) };
    };
    const key = `${events.map(({ position }) => position).join()} ${store.keyOf(viewed)}`;
    return viewOnce(presenter)(key, () => limit(read));
  };
}
