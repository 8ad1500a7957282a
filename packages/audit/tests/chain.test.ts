import { expect, test } from '@jest/globals';
import fc from '../../../tests/support/fast-check.js';
import {
  type AuditRecord,
  beginning,
  type Content,
  digestWith,
  type Head,
  linkAfter,
  openCheck,
} from '../src/chain.js';

const digest = digestWith('a secret of thirty-two characters');

const contentOf = (index: number, chains: readonly Head[] | null = null): Content => ({
  at: new Date(index).toISOString(),
  action: 'update',
  of: 'api::tag.tag',
  entry: index,
  kind: 'user',
  user: 7,
  name: index % 3 === 0 ? 'ann' : null,
  address: index % 5 === 0 ? '::1' : null,
  door: 'rest',
  request: null,
  written: ['name'],
  values: 'h',
  chains,
  key: `key ${index}`,
});

interface Stored {
  readonly id: number;
  readonly record: AuditRecord;
}

/** Records of several chains: each third names the ends of all. */
function logOf(choices: readonly number[]): readonly Stored[] {
  const heads: Head[] = [beginning(), beginning(), beginning()];
  return choices.map((choice, index) => {
    const begun = heads.filter(({ place }) => place > 0);
    const named = index % 3 === 2 && begun.length > 0 ? begun : null;
    const record = linkAfter(heads[choice] as Head, contentOf(index, named), digest);
    heads[choice] = record;
    return { id: index + 1, record };
  });
}

function findingsIn(log: readonly Stored[], by = digest): readonly string[] {
  const { next, end } = openCheck(by);
  return [...log.flatMap(({ id, record }) => next(id, record)), ...end()].map(({ rule }) => rule);
}

const choices = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 12, maxLength: 40 });
const places = fc.tuple(fc.nat(), fc.nat());

test('nothing is found in a log that nobody has changed', () => {
  fc.assert(fc.property(choices, (all) => expect(findingsIn(logOf(all))).toEqual([])));
});

const changes: Readonly<Record<string, (record: AuditRecord) => AuditRecord>> = {
  action: (record) => ({ ...record, action: 'delete' }),
  time: (record) => ({
    ...record,
    at: new Date(0).toISOString() === record.at ? '1999-01-01' : new Date(0).toISOString(),
  }),
  entry: (record) => ({ ...record, entry: 999 }),
  user: (record) => ({ ...record, user: 8 }),
  'proof of who it was': (record) => ({ ...record, factors: ['password', 'passkey'] }),
  'written attributes': (record) => ({ ...record, written: [] }),
  'name of somebody': (record) => ({ ...record, name: 'eve' }),
  hash: (record) => ({ ...record, hash: digest('another') }),
};

test.each(Object.entries(changes))('a changed %s is found', (_, change) => {
  fc.assert(
    fc.property(choices, fc.nat(), (all, at) => {
      const log = logOf(all);
      const index = at % log.length;
      const changed = log.map((one, place) => (place === index ? { ...one, record: change(one.record) } : one));
      expect(findingsIn(changed)).not.toEqual([]);
    }),
  );
});

test('records that are taken out are found, also the last ones of a chain that another has named', () => {
  fc.assert(
    fc.property(choices, places, (all, [from, count]) => {
      const log = logOf(all);
      // The last record that names the ends of the chains stays: what comes after it, nobody has named yet.
      const naming = log.findLastIndex(({ record }) => (record.chains ?? null) !== null);
      const heads = log[naming]?.record.chains ?? [];
      const index = from % naming;
      const removed = log.slice(index, Math.min(naming, index + 1 + (count % 3)));
      const isNamed = removed.some(({ record }) =>
        heads.some(({ chain, place }) => chain === record.chain && record.place <= place),
      );
      const left = log.filter((one) => !removed.includes(one));
      expect(isNamed && findingsIn(left).length > 0).toBe(true);
    }),
  );
});

test('records in another order, and one that is added, are found', () => {
  fc.assert(
    fc.property(choices, fc.nat(), (all, at) => {
      const log = logOf(all);
      const index = at % (log.length - 1);
      const [first, second] = [log[index] as Stored, log[index + 1] as Stored];
      const swapped = log.with(index, { ...second, id: first.id }).with(index + 1, { ...first, id: second.id });
      if (first.record.chain === second.record.chain) expect(findingsIn(swapped)).not.toEqual([]);
      const forged = linkAfter(first.record, contentOf(1000), digestWith('another secret of thirty-two chars'));
      expect(findingsIn([...log, { id: 1000, record: forged }])).not.toEqual([]);
    }),
  );
});

test('without the secret nobody computes the hashes', () => {
  const log = logOf([0, 1, 0, 1, 0]);
  expect(findingsIn(log, digestWith(undefined))).toHaveLength(5 + 2);
});

test('a name that is erased leaves the chain valid', () => {
  const log = logOf([0, 1, 2, 0, 1, 2, 0]);
  const erased = log.map(({ id, record }) => ({ id, record: { ...record, name: null, address: null, salt: null } }));
  expect(findingsIn(erased)).toEqual([]);
  const forged = erased.map(({ id, record }) => ({ id, record: { ...record, name: 'eve' } }));
  expect(findingsIn(forged)).toHaveLength(7);
});

test('what is removed by age is no finding, if it is recorded', () => {
  fc.assert(
    fc.property(choices, fc.nat(), (all, at) => {
      const log = logOf(all);
      const count = 1 + (at % (log.length - 1));
      const [old, left] = [log.slice(0, count), log.slice(count)];
      const heads = new Map(old.map(({ record: { chain, place, hash } }) => [chain, { chain, place, hash }]));
      const last = left.at(-1)?.record as AuditRecord;
      const expired = linkAfter(last, { ...contentOf(2000, [...heads.values()]), action: 'expire' }, digest);
      expect(findingsIn([...left, { id: 2000, record: expired }])).toEqual([]);
      if (old.some(({ record }) => left.some((one) => one.record.chain === record.chain)))
        expect(findingsIn(left)).not.toEqual([]);
    }),
  );
});
