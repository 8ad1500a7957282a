import type { Collection, Db, Filter } from 'mongodb';
import { translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { lastToDelete, type Retention } from './retention.js';

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
  /** The name of the form of its events; undefined: that of Strapi v4. */
  readonly format?: string | undefined;
  readonly isEnabled: boolean;
}

/** What a caller decides of a webhook. */
type WebhookSettings = Omit<StoredWebhook, 'id' | 'key'>;

/** How far a webhook has read the event log. */
interface WebhookPosition {
  /** The key of the webhook. */
  readonly _id: string;
  readonly position: number;
}

/** Webhooks, their positions in the event log, and their deliveries. */
export class WebhookRecords {
  readonly #db: Db;
  readonly #webhooks: Collection<WebhookSettings & { readonly _id: number }>;
  readonly #positions: Collection<WebhookPosition>;
  readonly #deliveries: Collection<Delivery>;
  #isIndexed = false;
  #noticeChange: () => Promise<void> = () => Promise.resolve();

  constructor(db: Db) {
    this.#db = db;
    this.#webhooks = db.collection('_webhooks');
    this.#positions = db.collection('_webhook_positions');
    this.#deliveries = db.collection('_webhook_deliveries');
  }

  /** The listener runs before `add`, `change` and `remove` of this process return. */
  onChange(listener: () => Promise<void>): void {
    this.#noticeChange = listener;
  }

  async list(): Promise<readonly StoredWebhook[]> {
    const stored = await translated(() => this.#webhooks.find({}, systemCommandOptions).sort({ _id: 1 }).toArray());
    return stored.map(webhookOf);
  }

  /** The webhook receives events that are recorded after this call. */
  add(webhook: WebhookSettings): Promise<StoredWebhook> {
    return translated(async () => {
      const counters = this.#db.collection<{ readonly _id: string; readonly id: number }>('_counters');
      const options = { ...systemCommandOptions, upsert: true, returnDocument: 'after' } as const;
      const counter = await counters.findOneAndUpdate({ _id: '_webhooks' }, { $inc: { id: 1 } }, options);
      const id = counter?.id ?? 1;
      const last = await counters.findOne({ _id: '_events' }, systemCommandOptions);
      const added = webhookOf({ _id: id, ...webhook });
      await this.#positions.insertOne({ _id: added.key, position: last?.id ?? 0 }, systemCommandOptions);
      await this.#webhooks.insertOne({ _id: id, ...webhook }, systemCommandOptions);
      await this.#noticeChange();
      return added;
    });
  }

  /** Undefined if there is none with this id. */
  async change(id: number, changes: Partial<WebhookSettings>): Promise<StoredWebhook | undefined> {
    const options = { ...systemCommandOptions, returnDocument: 'after' } as const;
    const changed = await translated(() => this.#webhooks.findOneAndUpdate({ _id: id }, { $set: changes }, options));
    await this.#noticeChange();
    return changed === null ? undefined : webhookOf(changed);
  }

  /** Undefined if there is none with this id. */
  remove(id: number): Promise<StoredWebhook | undefined> {
    return translated(async () => {
      const stored = await this.#webhooks.findOneAndDelete({ _id: id }, systemCommandOptions);
      if (stored === null) return undefined;
      const removed = webhookOf(stored);
      await this.#positions.deleteOne({ _id: removed.key }, systemCommandOptions);
      await this.#noticeChange();
      return removed;
    });
  }

  /** The position up to which a webhook has received its events; `start` if it is new. */
  async position(hook: string, start: number): Promise<number> {
    const insert = { $setOnInsert: { position: start } };
    const options = { ...systemCommandOptions, upsert: true, returnDocument: 'after' } as const;
    const stored = await translated(() => this.#positions.findOneAndUpdate({ _id: hook }, insert, options));
    return stored?.position ?? start;
  }

  async advance(hook: string, position: number): Promise<void> {
    await translated(() => this.#positions.updateOne({ _id: hook }, { $max: { position } }, systemCommandOptions));
  }

  /** Pending deliveries, in order. */
  waiting(hook: string, limit: number): Promise<readonly Delivery[]> {
    const found = this.#deliveries.find({ state: 'waiting', hook }, systemCommandOptions);
    return translated(() => found.sort({ n: 1, i: 1 }).limit(limit).toArray());
  }

  /** Whether so many deliveries wait. */
  async hasWaiting(hook: string, number: number): Promise<boolean> {
    const options = { ...systemCommandOptions, limit: number };
    return (await translated(() => this.#deliveries.countDocuments({ state: 'waiting', hook }, options))) >= number;
  }

  save(deliveries: readonly Delivery[]): Promise<void> {
    return translated(async () => {
      await this.#index();
      const operations = deliveries.map(({ _id, ...replacement }) => ({
        replaceOne: { filter: { _id }, replacement, upsert: true },
      }));
      if (operations.length > 0)
        await this.#deliveries.bulkWrite(operations, { ...systemCommandOptions, ordered: false });
    });
  }

  /** Deliveries of one webhook or of all, latest first. */
  latest(hook: string | undefined, limit: number): Promise<readonly Delivery[]> {
    const found = this.#deliveries.find(hook === undefined ? {} : { hook }, systemCommandOptions);
    return translated(() => found.sort({ n: -1, i: -1 }).limit(limit).toArray());
  }

  async find(id: string): Promise<Delivery | undefined> {
    return (await translated(() => this.#deliveries.findOne({ _id: id }, systemCommandOptions))) ?? undefined;
  }

  /**
   * Deletes the oldest finished deliveries, and all deliveries of webhooks that no longer exist.
   * Another process may know webhooks that are not among `hooks`: a position remains while the log has what follows it.
   * @param pruned the highest position whose event may have been deleted
   */
  prune(hooks: readonly string[], pruned: number, retention: Retention): Promise<void> {
    return translated(async () => {
      await this.#positions.deleteMany({ _id: { $nin: [...hooks] }, position: { $lt: pruned } }, systemCommandOptions);
      const positions = await this.#positions.find({}, systemCommandOptions).toArray();
      await this.#deliveries.deleteMany({ hook: { $nin: positions.map(({ _id }) => _id) } }, systemCommandOptions);
      const last = await lastToDelete(this.#deliveries, retention);
      const isOld: Filter<Delivery> = { state: { $ne: 'waiting' }, n: { $lte: last } };
      if (last > 0) await this.#deliveries.deleteMany(isOld, systemCommandOptions);
    });
  }

  async #index(): Promise<void> {
    if (this.#isIndexed) return;
    await this.#deliveries.createIndexes([{ key: { state: 1, hook: 1, n: 1, i: 1 } }, { key: { n: 1 } }]);
    this.#isIndexed = true;
  }
}

const webhookOf = ({ _id: id, ...webhook }: WebhookSettings & { readonly _id: number }): StoredWebhook => ({
  id,
  key: `added:${id}`,
  ...webhook,
});
