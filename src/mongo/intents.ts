import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import type { Attribute, ContentType, RelationAttribute, Registry } from '../content-types/types.js';
import type { Changes, StoredValue, Write } from '../query/write.js';

/** Writes to several documents that were begun: kept until all of them are done, so that another process can finish. */
export interface Intent {
  readonly id: string;
  readonly writes: readonly Write[];
}

export interface Intents {
  /** Records the writes before the first of them is done. */
  record(writes: readonly Write[]): Promise<string>;
  remove(id: string): Promise<void>;
  /** The intents that are older than so many milliseconds, oldest first. Those of unknown types are left alone. */
  left(registry: Registry, olderThan: number): Promise<readonly Intent[]>;
}

interface StoredIntent {
  readonly _id: string;
  readonly at: Date;
  readonly writes: readonly Record<string, unknown>[];
}

/** Intents in the `_intents` collection. */
export function openIntents(db: Db): Intents {
  const collection = db.collection<StoredIntent>('_intents');
  return {
    record: async (writes) => {
      const _id = randomUUID();
      await collection.insertOne({ _id, at: new Date(), writes: writes.map(encodeWrite) });
      return _id;
    },
    remove: async (_id) => {
      await collection.deleteOne({ _id });
    },
    left: async (registry, olderThan) => {
      const before = new Date(Date.now() - olderThan);
      const found = await collection.find({ at: { $lte: before } }, { sort: { at: 1 } }).toArray();
      return found.flatMap(({ _id, writes }) => {
        const decoded = writes.map((write) => decodeWrite(write, registry));
        return decoded.every((write) => write !== undefined) ? [{ id: _id, writes: decoded }] : [];
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

const encodeChanges = ({ values, links, ...rest }: Changes): Record<string, unknown> => ({
  ...rest,
  values: [...values].map(([name, value]) => (value === undefined ? [name] : [name, value])),
  links: links.map(({ attribute, ...link }) => ({ ...link, attribute: attribute.name })),
});

function decodeWrite(encoded: Record<string, unknown>, { contentTypes }: Registry): Write | undefined {
  const type = contentTypes.get(String(encoded['type']));
  if (type === undefined) return undefined;
  const write: Record<string, unknown> = { ...encoded, type };
  if ('attribute' in encoded) write['attribute'] = relationOf(type, encoded['attribute']);
  if ('changes' in encoded) write['changes'] = decodeChanges(encoded['changes'] as EncodedChanges, type);
  if (encoded['kind'] === 'forget') write['target'] = contentTypes.get(String(encoded['target']));
  const complete = Object.values(write).every((part) => part !== undefined);
  return complete ? (write as unknown as Write) : undefined;
}

interface EncodedChanges extends Omit<Changes, 'values' | 'links'> {
  readonly values: readonly (readonly [string, StoredValue?])[];
  readonly links: readonly { readonly attribute: string; readonly ids: number[]; readonly ranks: number[] }[];
}

function decodeChanges(encoded: EncodedChanges, type: ContentType): Changes {
  const links = encoded.links.flatMap((link) => {
    const attribute = relationOf(type, link.attribute);
    return attribute === undefined ? [] : [{ ...link, attribute }];
  });
  return { ...encoded, values: new Map(encoded.values.map(([name, value]) => [name, value])), links };
}

function relationOf(type: ContentType, name: unknown): RelationAttribute | undefined {
  const attribute: Attribute | undefined = type.attributes.get(String(name));
  return attribute?.kind === 'relation' ? attribute : undefined;
}
