import type { Entry, KnownWrite, PluginContext } from 'content-service/plugin';
import {
  type AuditRecord,
  beginning,
  type Content,
  contentOf,
  type Digest,
  type Head,
  keyOf,
  linkAfter,
} from './chain.js';
import { record } from './definition.js';

const { uid } = record;

/** Records that are stored with one command. */
const BATCH = 500;
/** Milliseconds after which a record names the last ones of all chains. */
const ANCHOR_MS = 60_000;
/** The last records that are searched for ends of chains. */
const ANCHORED = 100;

export const headOf = ({ chain, place, hash }: Entry): Head => ({
  chain: chain as string,
  place: place as number,
  hash: hash as string,
});

/** The last record of each chain among these. */
export const headsOf = (records: readonly Entry[]): readonly Head[] => {
  const heads = new Map<string, Head>();
  for (const head of records.map(headOf))
    if ((heads.get(head.chain)?.place ?? 0) < head.place) heads.set(head.chain, head);
  return [...heads.values()];
};

/**
 * Appends records to the chain of this process: so processes do not wait for each other. Its first record, and one each
 * minute, names the ends of all chains, so that an end that is cut off is noticed.
 */
export function openLog({ entries }: Pick<PluginContext, 'entries'>, digest: Digest) {
  const own = beginning().chain;
  /** Undefined: what is stored is not known. */
  let head: Head | undefined = { chain: own, place: 0, hash: '' };
  let anchored = -Infinity;
  let last: Promise<unknown> = Promise.resolve();
  const readHead = async (): Promise<Head> => {
    const found = await entries.findFirst(uid, { filters: { chain: own }, sort: 'id:desc' });
    return found === undefined ? { chain: own, place: 0, hash: '' } : headOf(found);
  };
  const known = async (contents: readonly Content[]): Promise<ReadonlySet<string>> => {
    const filters = { key: { $in: contents.map(({ key }) => key) } };
    const found = await entries.findMany(uid, { filters, fields: ['key'], pagination: { limit: contents.length } });
    return new Set(found.map(({ key }) => key as string));
  };
  const anchors = async (): Promise<readonly Head[] | null> => {
    if (performance.now() - anchored < ANCHOR_MS) return null;
    const fields = ['chain', 'place', 'hash'];
    const recent = await entries.findMany(uid, { sort: 'id:desc', fields, pagination: { limit: ANCHORED } });
    anchored = performance.now();
    return recent.length === 0 ? null : headsOf(recent);
  };
  const appendAll = async (contents: readonly Content[]): Promise<void> => {
    let left = contents;
    const chains = await anchors();
    while (left.length > 0) {
      const before: Head = head ?? (await readHead());
      const linked: AuditRecord[] = [];
      for (const content of left.slice(0, BATCH)) {
        const isFirst = left === contents && linked.length === 0;
        const told = isFirst && chains !== null ? { ...content, chains } : content;
        linked.push(linkAfter(linked.at(-1) ?? before, told, digest));
      }
      head = undefined;
      const { length } = await entries.append(
        uid,
        linked.map((one) => ({ ...one })),
      );
      head = linked[length - 1] ?? before;
      left = left.slice(length);
      if (length === linked.length) continue;
      // Another process, or this one before an error, has recorded some of them.
      const there = await known(left);
      left = left.filter(({ key }) => !there.has(key));
    }
  };
  /** One after the other, in the order of the calls. */
  const append = (contents: readonly Content[]): Promise<void> => {
    const appended = last.then(() => appendAll(contents));
    last = appended.catch(() => undefined);
    return appended;
  };
  return {
    append,
    /** Records writes that are not recorded yet. */
    keep: (writes: readonly KnownWrite[]): Promise<void> => {
      const byKey = new Map(writes.map((write) => [keyOf(write), write]));
      return append([...byKey.values()].map(contentOf));
    },
  };
}

export type Log = ReturnType<typeof openLog>;
