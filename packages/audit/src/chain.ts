import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { KnownActivity, KnownWrite } from 'content-service/plugin';

/** The last record of a chain. */
export interface Head {
  readonly chain: string;
  readonly place: number;
  readonly hash: string;
}

/** A record as it is stored. Empty values are null when it is read. */
export interface AuditRecord extends Head {
  readonly at: string;
  readonly action: string;
  readonly of?: string | null;
  readonly entry?: number | null;
  readonly copy?: boolean | null;
  readonly kind: string;
  readonly user?: number | null;
  readonly name?: string | null;
  readonly address?: string | null;
  readonly door?: string | null;
  readonly request?: string | null;
  readonly written?: readonly string[] | null;
  readonly values?: string | null;
  readonly before?: string | null;
  readonly factors?: readonly string[] | null;
  readonly chains?: readonly Head[] | null;
  readonly key: string;
  readonly previous?: string | null;
  readonly personHash?: string | null;
  readonly salt?: string | null;
}

/** What a record says, before it has a place in a chain. */
export type Content = Omit<AuditRecord, keyof Head | 'previous' | 'personHash' | 'salt'>;

/** Hashes a text. */
export type Digest = (text: string) => string;

/** @param key a secret; without it everybody can compute the hashes */
export const digestWith = (key: string | undefined): Digest => {
  if (key === undefined) return (text) => createHash('sha256').update(text).digest('base64url');
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
};

export const keyOf = ({ writeId, type, id, isCopy }: KnownWrite): string =>
  `${writeId} ${type} ${id}${isCopy === true ? ' copy' : ''}`;

/** What the record of a write says. */
export const contentOf = (write: KnownWrite): Content => ({
  at: write.at.toISOString(),
  action: write.action,
  of: write.type,
  entry: write.id,
  copy: write.isCopy ?? null,
  kind: write.by.kind,
  user: write.by.id ?? null,
  name: write.by.name ?? null,
  address: write.address ?? null,
  door: write.door,
  request: write.request ?? null,
  written: write.attributes,
  values: write.hash ?? null,
  chains: null,
  key: keyOf(write),
});

/** What the record of anything else says. */
export const contentOfActivity = (activity: KnownActivity): Content => ({
  at: activity.at.toISOString(),
  action: activity.action,
  of: activity.type ?? null,
  entry: activity.entry ?? null,
  kind: activity.by.kind,
  user: activity.by.id ?? null,
  name: activity.by.name ?? null,
  address: activity.address ?? null,
  door: activity.door,
  request: activity.request ?? null,
  values: activity.hash ?? null,
  before: activity.before ?? null,
  factors: activity.factors ?? null,
  key: activity.id,
});

const hasPerson = ({ name, address }: Pick<AuditRecord, 'name' | 'address'>): boolean =>
  (name ?? null) !== null || (address ?? null) !== null;

const personOf = (digest: Digest, { name, address, salt }: Pick<AuditRecord, 'name' | 'address' | 'salt'>): string =>
  digest(JSON.stringify([salt, name ?? null, address ?? null]));

/** What the hash of a record covers: all of it, name and address by a hash of their own. */
const textOf = (record: Omit<AuditRecord, 'hash'>): string =>
  JSON.stringify([
    record.chain,
    record.place,
    record.previous ?? null,
    new Date(record.at).toISOString(),
    record.action,
    record.of ?? null,
    record.entry ?? null,
    record.copy ?? null,
    record.kind,
    record.user ?? null,
    record.door ?? null,
    record.request ?? null,
    record.written ?? null,
    record.values ?? null,
    (record.chains ?? null)?.map(({ chain, place, hash }) => [chain, place, hash]) ?? null,
    record.key,
    record.personHash ?? null,
    // Records of before there were these have none: one is a text, the other a list.
    ...[record.before, record.factors].filter((value) => (value ?? null) !== null),
  ]);

/** The record that follows another one in its chain. */
export function linkAfter({ chain, place, hash: previous }: Head, content: Content, digest: Digest): AuditRecord {
  const person = hasPerson(content) ? { salt: randomBytes(12).toString('base64url') } : undefined;
  const linked = {
    ...content,
    ...(person && { ...person, personHash: personOf(digest, { ...content, ...person }) }),
    chain,
    place: place + 1,
    previous: previous === '' ? null : previous,
  };
  return { ...linked, hash: digest(textOf(linked)) };
}

/** The beginning of a new chain. */
export const beginning = (): Head => ({ chain: randomBytes(12).toString('base64url'), place: 0, hash: '' });

/** Hashes of a chain that are remembered: records name recent ones of other chains. */
const REMEMBERED = 1000;

/** A record with what is wrong with it. */
export interface Finding {
  readonly id: number;
  readonly rule: string;
}

interface SeenChain {
  readonly first: Head & { readonly id: number; readonly previous: string | null };
  last: Head;
  /** By place. */
  readonly recent: Map<number, string>;
}

/**
 * Finds what was changed, removed, added or reordered. Takes the records one after the other in the order of their ids;
 * `end` tells what only the whole shows.
 */
export function openCheck(digest: Digest) {
  const chains = new Map<string, SeenChain>();
  /** The last ones that were removed by age. */
  const removed = new Map<string, Head>();
  const named: (Head & { readonly id: number })[] = [];
  return {
    next: (id: number, record: AuditRecord): readonly Finding[] => {
      const findings: string[] = [];
      if (digest(textOf(record)) !== record.hash) findings.push('was changed: its hash is not that of its values');
      const isErased = (record.salt ?? null) === null;
      if (isErased && hasPerson(record)) findings.push('has the name or address of somebody that it did not have');
      if (!isErased && personOf(digest, record) !== record.personHash)
        findings.push('was changed: name or address are not those that it had');
      const seen = chains.get(record.chain);
      const { chain, place, hash } = record;
      if (seen === undefined) {
        const first = { chain, place, hash, id, previous: record.previous ?? null };
        chains.set(chain, { first, last: { chain, place, hash }, recent: new Map([[place, hash]]) });
      } else {
        if (place !== seen.last.place + 1)
          findings.push(
            `does not follow: its place is ${place} after ${seen.last.place}, records between are gone or not in order`,
          );
        else if (record.previous !== seen.last.hash)
          findings.push('does not follow the record before it: that was replaced');
        seen.last = { chain, place, hash };
        seen.recent.set(place, hash);
        seen.recent.delete(place - REMEMBERED);
      }
      for (const head of record.chains ?? []) {
        if (record.action === 'expire') removed.set(head.chain, head);
        else named.push({ ...head, id });
      }
      return findings.map((rule) => ({ id, rule }));
    },
    end: (): readonly Finding[] => {
      const beginnings = [...chains.values()].flatMap(({ first }): readonly Finding[] => {
        if (first.place === 1 && first.previous === null) return [];
        const before = removed.get(first.chain);
        const follows = before !== undefined && before.place >= first.place - 1;
        const isNext = before?.place === first.place - 1;
        if (follows && (!isNext || before.hash === first.previous)) return [];
        return [{ id: first.id, rule: `is at place ${first.place}: the records before it are gone` }];
      });
      const ends = named.flatMap(({ chain, place, hash, id }): readonly Finding[] => {
        const seen = chains.get(chain);
        const isExpired = (removed.get(chain)?.place ?? 0) >= place;
        if (isExpired) return [];
        const found = seen?.recent.get(place);
        if (seen === undefined || seen.last.place < place)
          return [{ id, rule: `names the record ${place} of the chain ${chain}, which is gone` }];
        return found === undefined || found === hash
          ? []
          : [{ id, rule: `names another record ${place} of the chain ${chain} than there is` }];
      });
      return [...beginnings, ...ends];
    },
  };
}
