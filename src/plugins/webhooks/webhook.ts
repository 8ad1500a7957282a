import { createHmac } from 'node:crypto';
import type { LoggedEvent } from '../../mongo/events/logged-events.js';
import type { Delivery, StoredWebhook } from '../../mongo/events/webhook-records.js';
import type { EventMessage } from '../contract/event-form.js';

/** A receiver of events, declared in a file or added to the database; only the latter has an id. */
export type Webhook = Omit<StoredWebhook, 'id'> & Partial<Pick<StoredWebhook, 'id'>>;

/** The events that webhooks can be sent for. */
export const webhookEvents: readonly string[] = [
  ...['create', 'update', 'delete', 'publish', 'unpublish'].map((event) => `entry.${event}`),
  ...['create', 'update', 'delete'].map((event) => `media.${event}`),
];

/**
 * The deliveries of a write that the webhook receives: one for each of its events.
 * @param uid of the type of its entry
 */
export const deliveriesOf = (
  { key: hook, events }: Pick<Webhook, 'key' | 'events'>,
  { position, id, at }: Pick<LoggedEvent, 'position' | 'id' | 'at'>,
  uid: string,
  messages: readonly EventMessage[],
): readonly Delivery[] =>
  [...messages.entries()]
    .filter(([, { event }]) => events.includes(event))
    .map(([i, { event, body }]) => ({
      _id: `${hook}/${position}/${event}`,
      hook,
      n: position,
      i,
      key: `${uid}:${id}`,
      event,
      body: JSON.stringify({ event, createdAt: at, ...body }),
      at,
      state: 'waiting',
      tries: 0,
      next: at,
    }));

/** The headers of a delivery, in Strapi's order: later ones replace earlier ones. */
export function headersOf(
  { headers, secret }: Pick<Webhook, 'headers' | 'secret'>,
  { _id, event, body }: Pick<Delivery, '_id' | 'event' | 'body'>,
  defaultHeaders: Readonly<Record<string, string>>,
  now: Date,
): Readonly<Record<string, string>> {
  const own = { ...defaultHeaders, ...headers, 'X-Strapi-Event': event, 'Content-Type': 'application/json' };
  if (secret === undefined) return own;
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { ...own, 'X-Delivery-Id': _id, 'X-Timestamp': timestamp, 'X-Signature': `sha256=${signature}` };
}
