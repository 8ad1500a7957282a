import { createHmac } from 'node:crypto';
import { bodyOf, modelNameOf } from '../../documents/events/announcement.js';
import type { LoggedEvent } from '../../mongo/events/event-log.js';
import type { Delivery, StoredWebhook } from '../../mongo/events/webhook-records.js';

/** A receiver of events, declared in a file or added to the database. */
export interface Webhook extends Omit<StoredWebhook, 'id'> {
  /** Identifies it among all: `config:<name>` or `added:<id>`. */
  readonly key: string;
}

/** The events that webhooks can be sent for. */
export const webhookEvents: readonly string[] = [
  ...['create', 'update', 'delete', 'publish', 'unpublish'].map((event) => `entry.${event}`),
  ...['create', 'update', 'delete'].map((event) => `media.${event}`),
];

/** Whether the webhook receives this event, under any of its names. */
export const isFor = (
  { events, types }: Pick<Webhook, 'events' | 'types'>,
  { uid, names }: Pick<LoggedEvent, 'uid' | 'names'>,
): boolean => (types?.includes(uid) ?? true) && names.some((name) => events.includes(name));

/** @param entry of the event, as JSON */
export const deliveriesOf = (
  { key, events, types }: Pick<Webhook, 'key' | 'events' | 'types'>,
  { position, uid, id, names, at }: LoggedEvent,
  entry: () => unknown,
): readonly Delivery[] =>
  !isFor({ events, types }, { uid, names })
    ? []
    : names.flatMap((event, i) => {
        if (!events.includes(event)) return [];
        const body = { event, createdAt: at, ...bodyOf(event, { uid, modelName: modelNameOf({ uid }) }, entry()) };
        return [
          {
            _id: `${key}/${position}/${event}`,
            hook: key,
            n: position,
            i,
            key: `${uid}:${id}`,
            event,
            body: JSON.stringify(body),
            at,
            state: 'waiting' as const,
            tries: 0,
            next: at,
          },
        ];
      });

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
