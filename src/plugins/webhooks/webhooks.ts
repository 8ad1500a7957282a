import { ABANDONED_MS } from '../../mongo/events/event-log.js';
import { repeat, reportOthers } from '../../mongo/coordination/repeat.js';
import type { BuiltInContext, BuiltInFactory, CodeEvents } from '../contract/built-in.js';
import { createStarted } from '../contract/started.js';
import { Deliverer } from './deliver.js';
import { createExpand } from './expand-event.js';
import { webhookCommands, type CommandParts } from './webhook-commands.js';
import { openSender } from '../contract/http/send.js';
import { readDeclaredWebhooks } from './parse-webhooks.js';
import { isSuccess } from '../contract/http/circuit.js';
import { deliveryOfCode, receivesOfCode } from './code-events.js';
import { headersOf, type Webhook } from './webhook.js';

/** Milliseconds between two checks for events, for added webhooks, and for events to recover or delete. */
const intervals = { lease: 2000, deliver: 500, load: 5000, recover: 5000, prune: 60_000 };
const MAX_DELIVERIES = 10_000;
const TIMEOUT_MS = 10_000;

/** Sends events of writes to other systems. */
export const createWebhooks: BuiltInFactory = () => {
  const running = createStarted<Awaited<ReturnType<typeof startWebhooks>>>('webhooks');
  return {
    name: 'webhooks',
    // Before the code of a project writes in `bootstrap`.
    start: async (context) => running.set(await startWebhooks(context)),
    stop: () => running.get().stop(),
    codeEvents: {
      record: (event, info) => running.get().recordOfCode(event, info),
      send: (receiver, event, info) => running.get().sendOfCode(receiver, event, info),
    },
    commands: webhookCommands(running.get),
  };
};

/**
 * The webhooks of this process. It delivers while it holds the lease; so one process does at a time.
 * @throws StartError if a declared webhook is invalid
 */
async function startWebhooks(context: BuiltInContext) {
  const { settings, storage, registry } = context;
  const { retention, record, allowPrivate } = settings.events;
  const { events } = storage;
  const { log, webhooks: records } = events;
  const forms = context.http.eventForms();
  const declared = readDeclaredWebhooks(settings, { contentTypes: registry.contentTypes, forms });
  const defaultHeaders = { ...settings.events.defaultHeaders, ...declared.defaultHeaders };
  const lease = events.lease('webhooks');
  const sender = openSender(allowPrivate, TIMEOUT_MS);
  const stopping = new AbortController();
  const send: CommandParts['send'] = (request) => sender.send(request, stopping.signal);
  const isActive = (): boolean => !stopping.signal.aborted && lease.isHeld();
  const deliverer = new Deliverer({
    log,
    records,
    send,
    defaultHeaders,
    expand: createExpand({ registry, documents: context.documents, forms }),
    isActive,
    observe: (outcome, tries) => events.observeDelivery(isSuccess(outcome), tries > 0),
    reportChange: ({ name }, outcome) => {
      if (isSuccess(outcome)) context.log.info({ webhook: name }, `Webhooks: "${name}" is reached again`);
      else {
        const reason = outcome.error ?? `its receiver answers ${outcome.status}`;
        context.log.warn({ webhook: name }, `Webhooks: "${name}" fails, and is tried again: ${reason}`);
      }
    },
    reportLost: ({ name }, lost) =>
      context.log.warn(
        { webhook: name, lost },
        `Webhooks: "${name}" was behind by more than the log keeps: up to ${lost} events were deleted before they were sent`,
      ),
  });
  const list = async (): Promise<readonly Webhook[]> => [...declared.webhooks, ...(await records.list())];
  let webhooks: readonly Webhook[] = [];
  /** Those whose position is stored, by key. */
  const positioned = new Set<string>();
  /** Those whose form no plugin has, by key. */
  const unknown = new Set<string>();
  const ifKnown = (webhook: Webhook): Webhook => {
    const { key, name, format } = webhook;
    if (format === undefined || forms.some((form) => form.name === format)) return webhook;
    if (!unknown.has(key) && webhook.isEnabled)
      context.log.error(
        { webhook: name },
        `Webhooks: "${name}" gets nothing: no plugin has events in the format ${format}`,
      );
    unknown.add(key);
    return { ...webhook, isEnabled: false };
  };
  const load = async (): Promise<void> => {
    const loaded = (await list()).map(ifKnown);
    const enabled = loaded.filter(({ isEnabled }) => isEnabled);
    if (enabled.length > 0 || record) await log.turnOn();
    for (const { key } of enabled.filter((webhook) => !positioned.has(webhook.key))) {
      await records.position(key, await log.horizon());
      positioned.add(key);
    }
    webhooks = loaded;
    deliverer.recheck();
  };
  const keepLease = async (): Promise<void> => {
    if (!log.isOn()) return;
    if (!lease.isHeld()) deliverer.reset();
    await lease.acquire();
  };
  /** The number of the last event of code, by which those of the same moment keep their order. */
  let lastOfCode = 0;
  const recordOfCode = async (event: string, info: unknown): Promise<void> => {
    const at = new Date();
    const index = Math.max(lastOfCode + 1, at.getTime());
    lastOfCode = index;
    const receivers = (await list()).map(ifKnown).filter((webhook) => receivesOfCode(webhook, event, info));
    if (receivers.length === 0) return;
    const { last: position } = await log.bounds();
    for (const webhook of receivers) {
      const { key, name } = webhook;
      if (await records.hasWaiting(key, MAX_DELIVERIES))
        context.log.error(
          { webhook: name },
          `Webhooks: "${name}" is behind, and does not get the event ${event} of code`,
        );
      else await records.save([deliveryOfCode(webhook, event, info, { position, index, at })]);
    }
    deliverer.recheck();
  };
  const sendOfCode: CodeEvents['send'] = ({ url, headers = {} }, event, info) => {
    const at = new Date();
    const delivery = deliveryOfCode({ key: url }, event, info, { position: 0, index: 0, at });
    return send({
      url,
      headers: headersOf({ headers, secret: undefined }, delivery, defaultHeaders, at),
      body: delivery.body,
    });
  };
  /** The rounds that are under way, by the key of their webhook. */
  const delivering = new Map<string, Promise<void>>();
  const deliver = async (webhook: Webhook): Promise<void> => {
    while (isActive() && (await deliverer.deliver(webhook)));
  };
  const deliverAll = async (): Promise<void> => {
    if (!lease.isHeld()) return;
    for (const webhook of webhooks.filter(({ isEnabled, key }) => isEnabled && !delivering.has(key))) {
      const { key, name } = webhook;
      const round = deliver(webhook)
        .catch(reportOthers((error) => context.log.error({ err: error, webhook: name }, 'Webhooks: a round failed')))
        .finally(() => delivering.delete(key));
      delivering.set(key, round);
    }
  };
  const recover = async (): Promise<void> => {
    if (!log.isOn()) return;
    // So a process that writes rarely learns of new positions: readers wait for the one that it has seen.
    const last = await log.horizon();
    if (!lease.isHeld()) return events.observeLag(0);
    await log.recover(registry, ABANDONED_MS);
    events.observeLag(Math.max(0, ...[...deliverer.positions.values()].map((position) => last - position)));
  };
  const prune = async (): Promise<void> => {
    if (!lease.isHeld()) return;
    await log.prune(retention);
    const { pruned } = await log.bounds();
    const keys = webhooks.map(({ key }) => key);
    await records.prune(keys, pruned, { ...retention, number: Math.min(retention.number, MAX_DELIVERIES) });
  };
  const report = (error: unknown): void =>
    context.log.error({ err: error }, 'Webhooks: the database refuses a command');
  await load();
  await keepLease();
  records.onChange(() => load().catch(report));
  const timers = [
    repeat(intervals.lease, keepLease, report),
    repeat(intervals.deliver, deliverAll, report),
    repeat(intervals.load, load, report),
    repeat(intervals.recover, recover, report),
    repeat(intervals.prune, prune, report),
  ];
  const stop = async (): Promise<void> => {
    stopping.abort();
    for (const end of timers) await end();
    await Promise.all(delivering.values());
    sender.close();
    if (lease.isHeld()) await lease.release().catch(() => undefined);
  };
  return { context, forms, records, defaultHeaders, send, list, recordOfCode, sendOfCode, stop };
}
