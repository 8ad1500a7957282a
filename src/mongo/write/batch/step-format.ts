import { Binary, BSON, type Document } from 'mongodb';
import type { Registry } from '../../../content-types/model/types.js';
import type { Write } from '../../../query/mutation.js';
import { isPrimary } from '../execute-write.js';
import { decodeWrite, encodeWrite } from '../intent-format.js';
import type { BatchStep, Turn } from './batch-step.js';

/** A step as stored: entries as BSON, so that numbers keep their types. */
export interface StoredStep {
  readonly primary: Record<string, unknown>;
  readonly dependants: readonly Record<string, unknown>[];
  readonly turn: Turn;
  readonly early?: readonly string[];
  readonly before?: Binary;
  readonly references: readonly Record<string, unknown>[];
}

export const encodeStep = ({ primary, dependants, turn, early, before, references }: BatchStep): StoredStep => ({
  primary: encodeWrite(primary),
  dependants: dependants.map(encodeWrite),
  turn,
  ...(early !== undefined && { early }),
  ...(before !== undefined && { before: new Binary(BSON.serialize(before)) }),
  references: references.map(encodeWrite),
});

/** Undefined if its content type or attributes no longer exist. */
export function decodeStep(stored: StoredStep, registry: Registry): BatchStep | undefined {
  const decoded = [stored.primary, ...stored.dependants].map((write) => decodeWrite(write, registry));
  if (!decoded.every((write) => write !== undefined)) return undefined;
  const [primary, ...dependants] = decoded;
  if (primary === undefined || !isPrimary(primary)) return undefined;
  // A type that no longer exists has no references to the entry.
  const references = stored.references.flatMap((write): Write | readonly Write[] => decodeWrite(write, registry) ?? []);
  const { turn, early, before } = stored;
  return { primary, dependants, turn, early, references, ...(before !== undefined && { before: documentOf(before) }) };
}

const documentOf = (bytes: Binary): Document =>
  BSON.deserialize(bytes.buffer.subarray(0, bytes.position), { promoteValues: false });
