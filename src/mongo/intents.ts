import type { Db } from 'mongodb';
import type { Attribute, ContentType, MorphAttribute, RelationAttribute, Registry } from '../content-types/types.js';
import { ownCommand } from './own-command.js';
import type { Changes, Links, StoredValue, ValueChange, Write } from '../query/write.js';

/** Writes to several documents that were begun: kept until all of them are done, so that another process can finish. */
export interface Intent {
  readonly id: string;
  readonly writes: readonly Write[];
}

export interface LeftIntent extends Intent {
  /** All writes were done once. */
  readonly settled: boolean;
}

export interface Intents {
  /** Records the writes before the first of them is done. */
  record(intent: Intent): Promise<void>;
  remove(id: string): Promise<void>;
  /** Notes that all writes are done, and keeps the record until it is old. */
  settle(id: string): Promise<void>;
  /** The intents that are older than so many milliseconds, oldest first. Those of unknown types are left alone. */
  left(registry: Registry, olderThan: number): Promise<readonly LeftIntent[]>;
}

interface StoredIntent {
  readonly _id: string;
  readonly at: Date;
  readonly writes: readonly Record<string, unknown>[];
  readonly done?: true;
}

/** Intents in the `_intents` collection. */
export function openIntents(db: Db): Intents {
  const collection = db.collection<StoredIntent>('_intents');
  return {
    record: async ({ id: _id, writes }) => {
      await collection.insertOne({ _id, at: new Date(), writes: writes.map(encodeWrite) }, ownCommand);
    },
    remove: async (_id) => {
      await collection.deleteOne({ _id }, ownCommand);
    },
    settle: async (_id) => {
      await collection.updateOne({ _id }, { $set: { done: true } }, ownCommand);
    },
    left: async (registry, olderThan) => {
      const before = new Date(Date.now() - olderThan);
      const found = await collection.find({ at: { $lte: before } }, { ...ownCommand, sort: { at: 1 } }).toArray();
      return found.flatMap(({ _id, writes, done: settled = false }) => {
        const decoded = writes.map((write) => decodeWrite(write, registry));
        return decoded.every((write) => write !== undefined) ? [{ id: _id, writes: decoded, settled }] : [];
      });
    },
  };
}

/** A write as plain data: types by uid, attributes by name. */
function encodeWrite(write: Write): Record<string, unknown> {
  const encoded: Record<string, unknown> = { ...write, type: write.type.uid };
  if ('attribute' in write) encoded['attribute'] = write.attribute.name;
  if ('changes' in write) encoded['changes'] = encodeChanges(write.changes);
  if (write.kind === 'forget') encoded['target'] = write.target.uid;
  return encoded;
}

const encodeChanges = ({ values, merges, links, ...rest }: Changes): Record<string, unknown> => ({
  ...rest,
  merges: [...merges].map(([name, change]) => [name, encodeMaps(change)]),
  values: [...values].map(([name, value]) => (value === undefined ? [name] : [name, value])),
  links: links.map(({ attribute, ...link }) => ({ ...link, attribute: attribute.name })),
});

function decodeWrite(encoded: Record<string, unknown>, { contentTypes }: Registry): Write | undefined {
  const type = contentTypes.get(String(encoded['type']));
  if (type === undefined) return undefined;
  const write: Record<string, unknown> = { ...encoded, type };
  if ('attribute' in encoded) write['attribute'] = attributeOf(type, encoded['attribute']);
  if ('changes' in encoded) write['changes'] = decodeChanges(encoded['changes'] as EncodedChanges, type);
  if (encoded['kind'] === 'forget') write['target'] = contentTypes.get(String(encoded['target']));
  const complete = Object.values(write).every((part) => part !== undefined);
  return complete ? (write as unknown as Write) : undefined;
}

interface EncodedChanges extends Omit<Changes, 'values' | 'merges' | 'links'> {
  readonly values: readonly (readonly [string, StoredValue?])[];
  readonly merges: readonly (readonly [string, unknown])[];
  readonly links: readonly (Omit<Links, 'attribute'> & { readonly attribute: string })[];
}

const MAP = '_map';

/** The maps in changes of components as lists under a name of ours, and back. */
function encodeMaps(value: unknown): unknown {
  if (value instanceof Map) return { [MAP]: [...value].map(([key, part]) => [key, encodeMaps(part)]) };
  return mapParts(value, encodeMaps);
}

function decodeMaps(value: unknown): unknown {
  if (isPlain(value) && Array.isArray(value[MAP])) {
    return new Map((value[MAP] as [string, unknown][]).map(([key, part]) => [key, decodeMaps(part)]));
  }
  return mapParts(value, decodeMaps);
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  Object.prototype.toString.call(value) === '[object Object]';

function mapParts(value: unknown, map: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  if (!isPlain(value)) return value;
  const parts = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(parts.map(([key, part]) => [key, map(part)]));
}

function decodeChanges(encoded: EncodedChanges, type: ContentType): Changes {
  const links = encoded.links.flatMap((link) => {
    const attribute = attributeOf(type, link.attribute);
    return attribute?.kind === 'relation' ? [{ ...link, attribute }] : [];
  });
  const merges = new Map(encoded.merges.map(([name, change]) => [name, decodeMaps(change) as ValueChange]));
  return { ...encoded, values: new Map(encoded.values.map(([name, value]) => [name, value])), merges, links };
}

function attributeOf(type: ContentType, name: unknown): RelationAttribute | MorphAttribute | undefined {
  const attribute: Attribute | undefined = type.attributes.get(String(name));
  return attribute?.kind === 'relation' || attribute?.kind === 'morph' ? attribute : undefined;
}
