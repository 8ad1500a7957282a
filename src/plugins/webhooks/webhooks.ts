import { system } from '../../documents/caller.js';
import { selectionOf } from '../../documents/events/announcement.js';
import { entryWith } from '../../documents/read-operation.js';
import { ifNotFound } from '../../errors/app-error.js';
import { ABANDONED_MS } from '../../mongo/events/event-log.js';
import type { Lease } from '../../mongo/events/lease.js';
import type { LoggedEvent } from '../../mongo/events/logged-events.js';
import type { WebhookRecords } from '../../mongo/events/webhook-records.js';
import { repeat, reportOthers } from '../../mongo/coordination/repeat.js';
import { plainEntry } from '../../query/entry-presenter.js';
import type { PluginContext, PluginFactory } from '../contract/plugin.js';
import { createStarted } from '../contract/started.js';
import { Deliverer } from './deliver.js';
import { webhookCommands, type CommandParts } from './webhook-commands.js';
import { openSender, type Sender } from '../contract/http/send.js';
import { readDeclaredWebhooks } from './parse-webhooks.js';
import { isSuccess } from '../contract/http/circuit.js';
import type { Webhook } from './webhook.js';

/** Milliseconds between two checks for events, for added webhooks, and for events to recover or delete. */
const intervals = { lease: 2000, deliver: 500, load: 5000, recover: 5000, prune: 60_000 };
const MAX_DELIVERIES = 10_000;
const TIMEOUT_MS = 10_000;

/** Sends events of writes to other systems. */
export const createWebhooks: PluginFactory = () => {
  const running = createStarted<Webhooks>('webhooks');
  return {
    name: 'webhooks',
    // Before the code of a project writes in `bootstrap`.
    start: async (context) => {
      const webhooks = new Webhooks(context);
      await webhooks.start();
      running.set(webhooks);
    },
    stop: () => running.get().stop(),
    commands: webhookCommands(running.get),
  };
};

/** The webhooks of this process. It delivers while it holds the lease; so one process does at a time. */
class Webhooks implements CommandParts {
  readonly context: PluginContext;
  readonly records: WebhookRecords;
  readonly defaultHeaders: Readonly<Record<string, string>>;
  readonly #declared: readonly Webhook[];
  readonly #lease: Lease;
  readonly #sender: Sender;
  readonly #deliverer: Deliverer;
  readonly #stopping = new AbortController();
  /** Those whose position is stored, by key. */
  readonly #positioned = new Set<string>();
  /** The rounds that are under way, by the key of their webhook. */
  readonly #delivering = new Map<string, Promise<void>>();
  #webhooks: readonly Webhook[] = [];
  #timers: readonly (() => Promise<void>)[] = [];

  /** @throws StartError if a declared webhook is invalid */
  constructor(context: PluginContext) {
    const { settings, storage, registry } = context;
    const { project, contentTypes } = settings.folders;
    const declared = readDeclaredWebhooks([project, contentTypes], { registry, variables: settings.variables });
    this.context = context;
    this.records = storage.events.webhooks;
    this.defaultHeaders = { ...settings.events.defaultHeaders, ...declared.defaultHeaders };
    this.#declared = declared.webhooks;
    this.#lease = storage.events.lease('webhooks');
    this.#sender = openSender(settings.events.allowPrivate, TIMEOUT_MS);
    const { events } = storage;
    this.#deliverer = new Deliverer({
      log: events.log,
      records: events.webhooks,
      send: this.send,
      defaultHeaders: this.defaultHeaders,
      readEntry: (event) => readEntry(context, event),
      isActive: () => this.#isActive(),
      observe: (outcome, tries) => events.observeDelivery(isSuccess(outcome), tries > 0),
      reportLost: ({ name }, lost) =>
        context.log.warn(
          { webhook: name, lost },
          `Webhooks: "${name}" was behind by more than the log keeps: up to ${lost} events were deleted before they were sent`,
        ),
    });
  }

  async start(): Promise<void> {
    await this.#load();
    await this.#keepLease();
    this.records.onChange(() => this.#load().catch(this.#report));
    this.#timers = [
      repeat(intervals.lease, () => this.#keepLease(), this.#report),
      repeat(intervals.deliver, () => this.#deliverAll(), this.#report),
      repeat(intervals.load, () => this.#load(), this.#report),
      repeat(intervals.recover, () => this.#recover(), this.#report),
      repeat(intervals.prune, () => this.#prune(), this.#report),
    ];
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const end of this.#timers) await end();
    await Promise.all(this.#delivering.values());
    this.#sender.close();
    if (this.#lease.isHeld()) await this.#lease.release().catch(() => undefined);
  }

  readonly send: CommandParts['send'] = (request) => this.#sender.send(request, this.#stopping.signal);

  readonly list = async (): Promise<readonly Webhook[]> => [...this.#declared, ...(await this.records.list())];

  #isActive(): boolean {
    return !this.#stopping.signal.aborted && this.#lease.isHeld();
  }

  async #load(): Promise<void> {
    const { log } = this.context.storage.events;
    const loaded = await this.list();
    const enabled = loaded.filter(({ isEnabled }) => isEnabled);
    if (enabled.length > 0 || this.context.settings.events.record) await log.turnOn();
    for (const { key } of enabled.filter((webhook) => !this.#positioned.has(webhook.key))) {
      await this.records.position(key, await log.horizon());
      this.#positioned.add(key);
    }
    this.#webhooks = loaded;
    this.#deliverer.recheck();
  }

  async #keepLease(): Promise<void> {
    if (!this.context.storage.events.log.isOn()) return;
    if (!this.#lease.isHeld()) this.#deliverer.reset();
    await this.#lease.acquire();
  }

  async #deliverAll(): Promise<void> {
    if (!this.#lease.isHeld()) return;
    for (const webhook of this.#webhooks.filter(({ isEnabled, key }) => isEnabled && !this.#delivering.has(key))) {
      const { key, name } = webhook;
      const round = this.#deliver(webhook)
        .catch(
          reportOthers((error) => this.context.log.error({ err: error, webhook: name }, 'Webhooks: a round failed')),
        )
        .finally(() => this.#delivering.delete(key));
      this.#delivering.set(key, round);
    }
  }

  async #deliver(webhook: Webhook): Promise<void> {
    while (this.#isActive() && (await this.#deliverer.deliver(webhook)));
  }

  async #recover(): Promise<void> {
    const { storage, registry } = this.context;
    const { events } = storage;
    if (!events.log.isOn()) return;
    // So a process that writes rarely learns of new positions: readers wait for the one that it has seen.
    const last = await events.log.horizon();
    if (!this.#lease.isHeld()) return events.observeLag(0);
    await events.log.recover(registry, ABANDONED_MS);
    events.observeLag(Math.max(0, ...[...this.#deliverer.positions.values()].map((position) => last - position)));
  }

  async #prune(): Promise<void> {
    if (!this.#lease.isHeld()) return;
    const { retention } = this.context.settings.events;
    const { log } = this.context.storage.events;
    await log.prune(retention);
    const { pruned } = await log.bounds();
    const keys = this.#webhooks.map(({ key }) => key);
    await this.records.prune(keys, pruned, { ...retention, number: Math.min(retention.number, MAX_DELIVERIES) });
  }

  readonly #report = (error: unknown): void =>
    this.context.log.error({ err: error }, 'Webhooks: the database refuses a command');
}

/** The entry of an event that was recovered, as clients see it now; its id alone if it is not there any more. */
async function readEntry({ registry, documents }: PluginContext, { uid, id }: LoggedEvent): Promise<unknown> {
  const type = registry.contentTypes.get(uid);
  if (type === undefined) return { id };
  const request = { caller: system, presenter: plainEntry, selection: selectionOf(type), locale: 'all' } as const;
  return documents.read(...entryWith(type, id, request)).catch(ifNotFound({ id }));
}
