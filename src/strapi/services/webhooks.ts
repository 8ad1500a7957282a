import { STATUS_CODES } from 'node:http';
import lodash from 'lodash';
import { findUrlProblem } from '../../plugins/contract/http/receiver.js';
import { findHeaderProblem } from '../../plugins/webhooks/parse-webhooks.js';
import { webhookEvents } from '../../plugins/webhooks/webhook.js';
import type { StoredWebhook } from '../../mongo/events/webhook-records.js';
import { withAbsent } from '../absent-members.js';
import type { Named, StrapiContext } from '../strapi.js';
import { errors } from '../utilities/errors.js';

/** What code can change of a webhook. */
const members = ['name', 'url', 'headers', 'events', 'isEnabled'] as const;

/** `strapi.webhookStore` and `strapi.webhookRunner`: the service sends webhooks that code adds like declared ones. */
export function createWebhookServices(context: Pick<StrapiContext, 'runtime' | 'strapi'>): Named {
  const records = () => context.runtime('strapi.webhookStore').plugins.storage.events.webhooks;
  const ofCode = () => {
    const events = context.runtime('strapi.webhookRunner').plugins.storage.events.ofCode;
    if (events === undefined) throw new Error('strapi.webhookRunner is not available: its plugin is disabled');
    return events;
  };
  const allowedEvents = new Map(webhookEvents.map((event) => [event, event]));
  const check = ({ url, events = [], headers }: Named): void => {
    const allowed = new Set(allowedEvents.values());
    for (const event of events as readonly string[]) {
      if (!allowed.has(event)) throw new errors.ValidationError(`Webhook event ${event} is not supported`);
    }
    const problem = url === undefined ? undefined : findUrlProblem(String(url));
    if (problem !== undefined) throw new errors.ValidationError(`url ${problem}`);
    for (const [name, value] of Object.entries((headers ?? {}) as Named)) {
      const wrong = findHeaderProblem(name, value);
      if (wrong !== undefined) throw new errors.ValidationError(`headers.${name} ${wrong}`);
    }
  };
  const show = (webhook: StoredWebhook | undefined): Named | null =>
    webhook === undefined ? null : lodash.pick(webhook, ['id', ...members]);
  return {
    webhookStore: {
      allowedEvents,
      addAllowedEvent: (key: string, value: string) => void allowedEvents.set(key, value),
      removeAllowedEvent: (key: string) => void allowedEvents.delete(key),
      listAllowedEvents: () => [...allowedEvents.keys()],
      getAllowedEvent: (key: string) => allowedEvents.get(key),
      findWebhooks: async () => (await records().list()).map(show),
      findWebhook: async (id: unknown) => show((await records().list()).find((webhook) => webhook.id === Number(id))),
      createWebhook: async (data: Named) => {
        check(data);
        const { name = '', url = '', headers = {}, events = [] } = data as Partial<StoredWebhook>;
        return show(await records().add({ name, url, headers, events, isEnabled: true }));
      },
      updateWebhook: async (id: unknown, data: Named) => {
        check(data);
        const changes = lodash.omitBy(lodash.pick(data, members), lodash.isUndefined);
        return show(await records().change(Number(id), changes));
      },
      deleteWebhook: async (id: unknown) => show(await records().remove(Number(id))),
    },
    webhookRunner: withAbsent('strapi.webhookRunner', {
      // Every process reads the webhooks from the store.
      add: () => undefined,
      update: () => undefined,
      remove: () => undefined,
      get eventHub() {
        return context.strapi.eventHub;
      },
      executeListener: async ({ event, info }: Named) => ofCode().record(String(event), info),
      /** Sends one at once, as Strapi's admin panel does to try a webhook. */
      run: async (webhook: Named, event: string, info?: unknown) => {
        const receiver = { url: String(webhook['url']), headers: (webhook['headers'] ?? {}) as Named<string> };
        const { status = 500, error } = await ofCode().send(receiver, event, info);
        const message = error ?? STATUS_CODES[status] ?? '';
        return { statusCode: status, ...(status >= 300 && { message }) };
      },
    }),
  };
}
