import { entryTypeOf, storedTypes } from '../../content-types/model/stored-types.js';
import type { ContentType, Registry } from '../../content-types/model/types.js';
import { system } from '../../documents/caller.js';
import { eventBody, selectionOf } from '../../documents/events/announcement.js';
import type { Documents } from '../../documents/documents.js';
import { ifNotFound } from '../../errors/app-error.js';
import type { LoggedEvent } from '../../mongo/events/logged-events.js';
import type { Delivery } from '../../mongo/events/webhook-records.js';
import { plainEntry } from '../../query/entry-presenter.js';
import type { EventForm } from '../contract/event-form.js';
import { deliveriesOf, type Webhook } from './webhook.js';

interface Context {
  readonly registry: Registry;
  readonly documents: Documents;
  readonly forms: readonly EventForm[];
}

/** Creates what makes deliveries of the writes in the log, each in the form of its webhook. */
export function createExpand({ registry, documents, forms }: Context) {
  const types = new Map(storedTypes(registry).map((type) => [type.uid, type]));
  return async (webhook: Webhook, event: LoggedEvent): Promise<readonly Delivery[]> => {
    const type = types.get(event.uid);
    const uid = type === undefined ? event.uid : entryTypeOf(type).uid;
    if (webhook.types?.includes(uid) === false) return [];
    const form = forms.find(({ name }) => name === webhook.format);
    if (form !== undefined) {
      const messages = type === undefined ? [] : await form.messagesOf(writeOf(event, type));
      return deliveriesOf(webhook, event, uid, messages);
    }
    if (!event.names.some((name) => webhook.events.includes(name))) return [];
    const entry = event.entry === undefined ? await readEntry(documents, type, event.id) : parsed(event.entry);
    const messages = event.names.map((name) => ({ event: name, body: eventBody(name, uid, entry) }));
    return deliveriesOf(webhook, event, uid, messages);
  };
}

const parsed = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));

const writeOf = (
  { id, action, names, entry, document, isUnpublished }: LoggedEvent,
  type: ContentType,
): Parameters<EventForm['messagesOf']>[0] => ({
  type: entryTypeOf(type),
  id,
  action,
  isCopy: type.copyOf !== undefined,
  names,
  isUnpublished,
  entry: parsed(entry),
  document: parsed(document),
});

/** The entry of an event that was recovered, as clients see it now; its id alone if it is not there any more. */
async function readEntry(documents: Documents, type: ContentType | undefined, id: number): Promise<unknown> {
  if (type === undefined) return { id };
  const request = { caller: system, presenter: plainEntry, selection: selectionOf(type), locale: 'all' } as const;
  return documents.readEntry(type, id, request).catch(ifNotFound({ id }));
}
