import { randomUUID } from 'node:crypto';
import { isRecord } from '../../config/record.js';
import type { Delivery } from '../../mongo/events/webhook-records.js';
import type { Webhook } from './webhook.js';

/** What an event of code is about: as in Strapi v4, code sends whatever it likes. */
function subjectOf(event: string, info: unknown): { readonly uid: string; readonly id: unknown } {
  const { uid, entry, media } = isRecord(info) ? info : {};
  if (isRecord(media)) return { uid: 'plugin::upload.file', id: media['id'] };
  return { uid: typeof uid === 'string' ? uid : event, id: isRecord(entry) ? entry['id'] : undefined };
}

/** Whether a webhook gets an event of code. */
export const receivesOfCode = ({ isEnabled, events, types }: Webhook, event: string, info: unknown): boolean =>
  isEnabled && events.includes(event) && types?.includes(subjectOf(event, info).uid) !== false;

interface Moment {
  /** The last position in the log of writes. */
  readonly position: number;
  /** Its place among the events of code, above that of each event of a write. */
  readonly index: number;
  readonly at: Date;
}

/** Bytes: the same as of the entry of a write. */
const MAX_LENGTH = 4_000_000;

/**
 * The delivery of an event of code, in Strapi v4's form. It comes after those of all writes that were there before.
 * @throws Error if it is too long, or no JSON
 */
export function deliveryOfCode(
  { key: hook }: Pick<Webhook, 'key'>,
  event: string,
  info: unknown,
  { position, index, at }: Moment,
): Delivery {
  const { uid, id } = subjectOf(event, info);
  const body = JSON.stringify({ event, createdAt: at, ...(isRecord(info) ? info : {}) });
  if (Buffer.byteLength(body) > MAX_LENGTH) throw new Error(`the event ${event} of code is too long for a webhook`);
  return {
    _id: `${hook}/${randomUUID()}`,
    hook,
    n: position,
    i: index,
    key: `${uid}:${String(id)}`,
    event,
    body,
    at,
    state: 'waiting',
    tries: 0,
    next: at,
  };
}
