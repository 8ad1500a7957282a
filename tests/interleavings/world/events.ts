import type { Document } from 'mongodb';
import { labelOf, type Stored } from './view.js';
import type { World } from './world.js';

/** The actions of the events of each entry, in their order. */
export type Events = ReadonlyMap<string, readonly string[]>;

export const noEvents: { readonly events: Events; readonly problems: readonly string[] } = {
  events: new Map(),
  problems: [],
};

/**
 * The events of the log. It is a problem if the last one of an entry does not show what is stored: then their order is
 * not that of its versions.
 */
export async function eventsOf({ db, registry }: World, stored: Stored, isAlive: boolean): Promise<typeof noEvents> {
  const log = await db
    .collection('_events')
    .find({ n: { $gt: 0 } })
    .sort({ n: 1 })
    .toArray();
  const events = new Map<string, readonly string[]>();
  const last = new Map<string, { readonly event: Document; readonly entry: Document | undefined }>();
  for (const event of log) {
    const { collectionName = '' } = registry.contentTypes.get(String(event['uid'])) ?? {};
    const entry = stored.get(collectionName)?.find(({ _id }) => _id === event['id']);
    // Ids of new entries differ between executions.
    const name = `${collectionName} ${entry === undefined ? String(event['id']) : labelOf(entry)}`;
    events.set(name, [...(events.get(name) ?? []), String(event['action'])]);
    last.set(name, { event, entry });
  }
  const problems = [...last].flatMap(([name, { event, entry }]) =>
    entry === undefined || event['entry'] === undefined || (!isAlive && isLocalized(event))
      ? []
      : differences(name, event['entry'] as string, entry),
  );
  const sorted = [...events].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { events: new Map(sorted), problems };
}

/** A crash may lose the events of other localizations. */
const isLocalized = ({ uid }: Document): boolean => uid === 'api::page.page';

/** Scalars, which an event shows as they are stored. */
function differences(name: string, text: string, entry: Document): readonly string[] {
  const scalars = Object.entries(JSON.parse(text) as Document).filter(([, value]) => typeof value !== 'object');
  return scalars.flatMap(([attribute, value]) => {
    const current = entry[attribute] as unknown;
    const isTime = current instanceof Date;
    return attribute === 'id' || isTime || current === value
      ? []
      : [`the last event of ${name} has ${attribute} ${String(value)}, stored is ${String(current)}`];
  });
}

/**
 * Are these the events of a serial execution? The event of an update whose process died is discarded if the event of a
 * later one covers both. Those of other localizations are recorded after a write: they may be lost, or name one that
 * another write has changed.
 */
export function areEvents(
  events: Events,
  expected: Events,
  { isAlive, hasBatch }: { readonly isAlive: boolean; readonly hasBatch: boolean },
): boolean {
  const names = [...new Set([...events.keys(), ...expected.keys()])];
  return names.every((name) => {
    const [recorded, serial] = [events.get(name) ?? [], expected.get(name) ?? []];
    if (recorded.join() === serial.join()) return true;
    const isRemoved = serial.at(-1) === 'delete' && recorded.at(-1) === 'delete';
    // A delete covers the updates before it, and two of one entry are both done if one of them is part of a batch.
    if (isRemoved && !recorded.join().includes('delete,update'))
      return hasBatch || withoutUpdates(recorded) === withoutUpdates(serial);
    if (name.startsWith('pages ')) return withoutUpdates(recorded) === withoutUpdates(serial);
    if (isAlive || recorded.length > serial.length) return false;
    return recorded.at(-1) === serial.at(-1) && recorded.every((action) => serial.includes(action));
  });
}

const withoutUpdates = (actions: readonly string[]): string => actions.filter((action) => action !== 'update').join();
