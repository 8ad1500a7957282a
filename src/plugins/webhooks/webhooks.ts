import { system } from '../../documents/caller.js';
import { selectionOf } from '../../documents/events/announcement.js';
import { entryWith } from '../../documents/read-operation.js';
import { hasCode } from '../../errors/app-error.js';
import { ABANDONED_MS } from '../../mongo/events/event-log.js';
import type { LoggedEvent } from '../../mongo/events/logged-events.js';
import { repeat, reportOthers } from '../../mongo/coordination/repeat.js';
import { plainEntry } from '../../query/entry-presenter.js';
import type { PluginContext, PluginFactory } from '../contract/plugin.js';
import { createStarted } from '../contract/started.js';
import { Deliverer, type DeliveryParts } from './deliver.js';
import { webhookCommands, type CommandParts } from './webhook-commands.js';
import { openSender } from '../contract/http/send.js';
import { readDeclaredWebhooks } from './parse-webhooks.js';
import { isSuccess } from '../contract/http/circuit.js';
import type { Webhook } from './webhook.js';

/** Milliseconds between two checks for events, for added webhooks, and for events to recover or delete. */
const intervals = { lease: 2000, deliver: 500, load: 5000, recover: 5000, prune: 60_000 };
const MAX_DELIVERIES = 10_000;
const TIMEOUT_MS = 10_000;

/** Sends events of writes to other systems. */
export const createWebhooks: PluginFactory = () => {
  const running = createStarted<Running>('webhooks');
  return {
    name: 'webhooks',
    // Before the code of a project writes in `bootstrap`.
    start: async (context) => running.set(await start(context)),
    stop: () => running.get().stop(),
    commands: webhookCommands(running.get),
  };
};

interface Running extends CommandParts {
  stop(): Promise<void>;
}

async function start(context: PluginContext): Promise<Running> {
  const { settings, storage, registry, log } = context;
  const { events } = storage;
  const { project, contentTypes } = settings.folders;
  const declared = readDeclaredWebhooks([project, contentTypes], { registry, variables: settings.variables });
  const list = async (): Promise<readonly Webhook[]> => [...declared.webhooks, ...(await events.webhooks.list())];
  const lease = events.lease('webhooks');
  const stopping = new AbortController();
  const sender = openSender({ allowPrivate: settings.events.allowPrivate, timeoutMs: TIMEOUT_MS });
  const send: CommandParts['send'] = (request) => sender.send(request, stopping.signal);
  const defaultHeaders = { ...settings.events.defaultHeaders, ...declared.defaultHeaders };
  const isActive = (): boolean => !stopping.signal.aborted && lease.isHeld();
  const deliverer = createDeliverer(context, { send, defaultHeaders, isActive });
  let webhooks: readonly Webhook[] = [];
  const positioned = new Set<string>();
  const load = async (): Promise<void> => {
    const loaded = await list();
    const enabled = loaded.filter(({ isEnabled }) => isEnabled);
    if (enabled.length > 0 || settings.events.record) await events.log.turnOn();
    for (const { key } of enabled.filter((webhook) => !positioned.has(webhook.key))) {
      await events.webhooks.position(key, await events.log.horizon());
      positioned.add(key);
    }
    webhooks = loaded;
    deliverer.recheck();
  };
  const keepLease = async (): Promise<void> => {
    if (!events.log.isOn()) return;
    if (!lease.isHeld()) deliverer.reset();
    await lease.acquire();
  };
  const delivering = new Map<string, Promise<void>>();
  const deliver = async (webhook: Webhook): Promise<void> => {
    while (isActive() && (await deliverer.deliver(webhook)));
  };
  const deliverAll = async (): Promise<void> => {
    if (!lease.isHeld()) return;
    for (const webhook of webhooks.filter(({ isEnabled, key }) => isEnabled && !delivering.has(key))) {
      const { key } = webhook;
      const round = deliver(webhook)
        .catch(reportOthers((error) => log.error({ err: error, webhook: webhook.name }, 'Webhooks: a round failed')))
        .finally(() => delivering.delete(key));
      delivering.set(key, round);
    }
  };
  const recover = async (): Promise<void> => {
    if (!events.log.isOn()) return;
    // So a process that writes rarely learns of new positions: readers wait for the one that it has seen.
    const last = await events.log.horizon();
    if (!lease.isHeld()) return events.observeLag(0);
    await events.log.recover(registry, ABANDONED_MS);
    events.observeLag(Math.max(0, ...[...deliverer.positions.values()].map((position) => last - position)));
  };
  const prune = async (): Promise<void> => {
    if (!lease.isHeld()) return;
    const { retention } = settings.events;
    await events.log.prune(retention);
    const keys = webhooks.map(({ key }) => key);
    await events.webhooks.prune(keys, { ...retention, number: Math.min(retention.number, MAX_DELIVERIES) });
  };
  const report = (error: unknown): void => log.error({ err: error }, 'Webhooks: the database refuses a command');
  await load();
  await keepLease();
  const timers = [
    repeat(intervals.lease, keepLease, report),
    repeat(intervals.deliver, deliverAll, report),
    repeat(intervals.load, load, report),
    repeat(intervals.recover, recover, report),
    repeat(intervals.prune, prune, report),
  ];
  return {
    context,
    records: events.webhooks,
    list,
    defaultHeaders,
    send,
    stop: async () => {
      stopping.abort();
      for (const end of timers) await end();
      await Promise.all(delivering.values());
      await events.log.settle().catch(report);
      sender.close();
      if (lease.isHeld()) await lease.release().catch(() => undefined);
    },
  };
}

function createDeliverer(
  context: PluginContext,
  parts: Pick<DeliveryParts, 'send' | 'defaultHeaders' | 'isActive'>,
): Deliverer {
  const { events } = context.storage;
  return new Deliverer({
    ...parts,
    log: events.log,
    records: events.webhooks,
    readEntry: (event) => readEntry(context, event),
    observe: (outcome, tries) => events.observeDelivery(isSuccess(outcome), tries > 0),
    reportLost: ({ name }, lost) =>
      context.log.warn(
        { webhook: name, lost },
        `Webhooks: "${name}" was behind by more than the log keeps: up to ${lost} events were deleted before they were sent`,
      ),
  });
}

/** The entry of an event that was recovered, as clients see it now; its id alone if it is not there any more. */
async function readEntry({ registry, documents }: PluginContext, { uid, id }: LoggedEvent): Promise<unknown> {
  const type = registry.contentTypes.get(uid);
  if (type === undefined) return { id };
  const request = { caller: system, presenter: plainEntry, selection: selectionOf(type), locale: 'all' } as const;
  return documents.read(...entryWith(type, id, request)).catch((error: unknown) => {
    if (hasCode(error, 'notFound')) return { id };
    throw error;
  });
}
