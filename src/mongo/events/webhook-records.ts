import type { Db, Filter } from 'mongodb';
import { translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { lastToDelete, type Retention } from './retention.js';

/** A sent or pending delivery to a webhook. */
export interface Delivery {
  /** Derived from the webhook, the event and its name, so reading the event again results in the same id. */
  readonly _id: string;
  /** The key of the webhook. */
  readonly hook: string;
  /** The position of the event. */
  readonly n: number;
  /** The index in the names of the event. */
  readonly i: number;
  /** Deliveries with the same key are sent in order. */
  readonly key: string;
  readonly event: string;
  readonly body: string;
  readonly at: Date;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly tries: number;
  /** The time of the next attempt. */
  readonly next: Date;
  /** The result of the last attempt. */
  readonly status?: number;
  readonly milliseconds?: number;
  readonly error?: string;
}

/** A webhook that was added to the database. */
export interface StoredWebhook {
  readonly id: number;
  /** Identifies it among all webhooks: `added:<id>`; the key of a declared one is `config:<name>`. */
  readonly key: string;
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  readonly types?: readonly string[] | undefined;
  readonly secret?: string | undefined;
  readonly isEnabled: boolean;
}

/** What a caller decides of a webhook. */
type WebhookSettings = Omit<StoredWebhook, 'id' | 'key'>;

export interface WebhookRecords {
  list(): Promise<readonly StoredWebhook[]>;
  /** The webhook receives events that are recorded after this call. */
  add(webhook: WebhookSettings): Promise<StoredWebhook>;
  /** Undefined if there is none with this id. */
  change(id: number, changes: Partial<WebhookSettings>): Promise<StoredWebhook | undefined>;
  remove(id: number): Promise<StoredWebhook | undefined>;
  /** The position up to which a webhook has received its events; `start` if it is new. */
  position(hook: string, start: number): Promise<number>;
  advance(hook: string, position: number): Promise<void>;
  /** Pending deliveries, in order. */
  waiting(hook: string, limit: number): Promise<readonly Delivery[]>;
  save(deliveries: readonly Delivery[]): Promise<void>;
  /** Deliveries of one webhook or of all, latest first. */
  latest(hook: string | undefined, limit: number): Promise<readonly Delivery[]>;
  find(id: string): Promise<Delivery | undefined>;
  /** Deletes the oldest finished deliveries, and all deliveries of webhooks that no longer exist. */
  prune(hooks: readonly string[], retention: Retention): Promise<void>;
}

interface Cursor {
  readonly _id: string;
  readonly position: number;
}

/** Webhooks, their positions in the event log, and their deliveries. */
export function openWebhookRecords(db: Db): WebhookRecords {
  const webhooks = db.collection<WebhookSettings & { readonly _id: number }>('_webhooks');
  const cursors = db.collection<Cursor>('_webhook_positions');
  const deliveries = db.collection<Delivery>('_webhook_deliveries');
  const counters = db.collection<{ readonly _id: string; readonly id: number }>('_counters');
  let isIndexed = false;
  const index = async (): Promise<void> => {
    if (isIndexed) return;
    await deliveries.createIndexes([{ key: { state: 1, hook: 1, n: 1, i: 1 } }, { key: { n: 1 } }]);
    isIndexed = true;
  };
  return {
    list: () =>
      translated(async () => (await webhooks.find({}, systemCommandOptions).sort({ _id: 1 }).toArray()).map(webhookOf)),
    add: (webhook) =>
      translated(async () => {
        const options = { ...systemCommandOptions, upsert: true, returnDocument: 'after' } as const;
        const counter = await counters.findOneAndUpdate({ _id: '_webhooks' }, { $inc: { id: 1 } }, options);
        const id = counter?.id ?? 1;
        const last = await counters.findOne({ _id: '_events' }, systemCommandOptions);
        const added = webhookOf({ _id: id, ...webhook });
        await cursors.insertOne({ _id: added.key, position: last?.id ?? 0 }, systemCommandOptions);
        await webhooks.insertOne({ _id: id, ...webhook }, systemCommandOptions);
        return added;
      }),
    change: (id, changes) =>
      translated(async () => {
        const options = { ...systemCommandOptions, returnDocument: 'after' } as const;
        const changed = await webhooks.findOneAndUpdate({ _id: id }, { $set: changes }, options);
        return changed === null ? undefined : webhookOf(changed);
      }),
    remove: (id) =>
      translated(async () => {
        const removed = await webhooks.findOneAndDelete({ _id: id }, systemCommandOptions);
        return removed === null ? undefined : webhookOf(removed);
      }),
    position: (hook, start) =>
      translated(async () => {
        const cursor = await cursors.findOneAndUpdate(
          { _id: hook },
          { $setOnInsert: { position: start } },
          { ...systemCommandOptions, upsert: true, returnDocument: 'after' },
        );
        return cursor?.position ?? start;
      }),
    advance: (hook, position) =>
      translated(async () => {
        await cursors.updateOne({ _id: hook }, { $max: { position } }, systemCommandOptions);
      }),
    waiting: (hook, limit) =>
      translated(() =>
        deliveries.find({ state: 'waiting', hook }, systemCommandOptions).sort({ n: 1, i: 1 }).limit(limit).toArray(),
      ),
    save: (saved) =>
      translated(async () => {
        await index();
        const operations = saved.map(({ _id, ...replacement }) => ({
          replaceOne: { filter: { _id }, replacement, upsert: true },
        }));
        if (operations.length > 0) await deliveries.bulkWrite(operations, { ...systemCommandOptions, ordered: false });
      }),
    latest: (hook, limit) =>
      translated(() => {
        const filter: Filter<Delivery> = hook === undefined ? {} : { hook };
        return deliveries.find(filter, systemCommandOptions).sort({ n: -1, i: -1 }).limit(limit).toArray();
      }),
    find: (id) => translated(async () => (await deliveries.findOne({ _id: id }, systemCommandOptions)) ?? undefined),
    prune: (hooks, retention) =>
      translated(async () => {
        await deliveries.deleteMany({ hook: { $nin: [...hooks] } }, systemCommandOptions);
        await cursors.deleteMany({ _id: { $nin: [...hooks] } }, systemCommandOptions);
        const last = await lastToDelete(deliveries, retention);
        if (last > 0)
          await deliveries.deleteMany({ state: { $ne: 'waiting' }, n: { $lte: last } }, systemCommandOptions);
      }),
  };
}

const webhookOf = ({ _id: id, ...webhook }: WebhookSettings & { readonly _id: number }): StoredWebhook => ({
  id,
  key: `added:${id}`,
  ...webhook,
});
