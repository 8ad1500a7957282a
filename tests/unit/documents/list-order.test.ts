import { describe, expect, test } from '@jest/globals';
import fc from '../../support/fast-check.js';
import { arrange, checkConnect, ranksBetween, ranksOfList, strictly } from '../../../src/query/list-order.js';
import type { LinkChange, Position } from '../../../src/query/mutation.js';
import { scaled } from '../../support/scaled.js';
import { connectInOrder, type Comer } from '../../support/connect-in-order.js';

const change = (partial: Partial<LinkChange>): LinkChange => ({
  replaces: false,
  disconnect: [],
  connect: [],
  ...partial,
});
const at = (id: number, position: Position): LinkChange['connect'][number] => ({ id, position });

describe('the order of a relation', () => {
  test.each<readonly [string, Partial<LinkChange>, readonly number[]]>([
    ['stays without a change', {}, [1, 2, 3]],
    ['is a new one', { replaces: true, connect: [at(3, { at: 'end' }), at(4, { at: 'end' })] }, [3, 4]],
    ['is empty', { replaces: true }, []],
    ['loses some', { disconnect: [1, 3, 9] }, [2]],
    ['gets one at its end', { connect: [at(1, { at: 'end' })] }, [2, 3, 1]],
    ['gets one at its start', { connect: [at(4, { at: 'start' })] }, [4, 1, 2, 3]],
    ['gets one before another', { connect: [at(4, { at: 'before', id: 2 })] }, [1, 4, 2, 3]],
    ['gets one after another', { connect: [at(1, { at: 'after', id: 3 })] }, [2, 3, 1]],
    [
      'gets one beside one that came before',
      { connect: [at(4, { at: 'start' }), at(5, { at: 'after', id: 4 })] },
      [4, 5, 1, 2, 3],
    ],
    [
      'gets one beside one that comes later, which so comes first',
      { connect: [at(4, { at: 'before', id: 5 }), at(6, { at: 'end' }), at(5, { at: 'start' })] },
      [4, 5, 1, 2, 3, 6],
    ],
    [
      'gets one beside one that is linked and moves later',
      { connect: [at(4, { at: 'before', id: 2 }), at(2, { at: 'end' })] },
      [1, 4, 3, 2],
    ],
    [
      'gets one beside one that goes and comes back',
      { disconnect: [1], connect: [at(4, { at: 'after', id: 1 }), at(1, { at: 'end' })] },
      [2, 3, 1, 4],
    ],
    [
      'gets one at its end that is to stand beside nothing there is, if that is allowed',
      { connect: [at(4, { at: 'before', id: 9, otherwise: 'end' })] },
      [1, 2, 3, 4],
    ],
  ])('%s', (_, partial, result) => {
    expect(arrange([1, 2, 3], change(partial))).toEqual(result);
  });

  test.each<readonly [string, Partial<LinkChange>, string]>([
    ['one that is not there', { connect: [at(4, { at: 'before', id: 9 })] }, '{"before":9}. The relation with id 9'],
    ['itself', { connect: [at(1, { at: 'after', id: 1 })] }, 'A circular reference was found in the connect array'],
    [
      'one that goes',
      { disconnect: [2], connect: [at(4, { at: 'after', id: 2 })] },
      '{"after":2}. The relation with id 2',
    ],
    [
      'one that comes later, and has none itself',
      { connect: [at(4, { at: 'after', id: 5 }), at(5, { at: 'before', id: 9 })] },
      '{"before":9}. The relation with id 9',
    ],
    [
      'one that is to stand beside it',
      { connect: [at(4, { at: 'after', id: 5 }), at(5, { at: 'before', id: 4 })] },
      'A circular reference was found in the connect array',
    ],
    [
      'one, strictly, that is not there',
      strictly(change({ connect: [at(4, { at: 'before', id: 9, otherwise: 'end' })] })),
      '{"before":9}. The relation with id 9',
    ],
  ])('has no position relative to %s', (_, partial, message) => {
    expect(() => arrange([1, 2, 3], change(partial))).toThrow(message);
  });
});

test('connected entries get the positions of the Strapi v4 model', () => {
  const ids = fc.uniqueArray(fc.nat(4), { maxLength: 5 });
  const neighbour = fc.nat(8);
  const place = fc.oneof(
    fc.constant(undefined),
    fc.constant({ start: true } as const),
    neighbour.map((before) => ({ before })),
    neighbour.map((after) => ({ after })),
  );
  const comers = fc.uniqueArray(fc.record({ id: fc.nat(8), place }), { maxLength: 7, selector: ({ id }) => id });
  const positionOf = ({ place: written }: Comer, loose: boolean): Position => {
    if (written === undefined) return { at: 'end' };
    if ('start' in written) return { at: 'start' };
    const otherwise = loose ? ({ otherwise: 'end' } as const) : {};
    return 'before' in written
      ? { at: 'before', id: written.before, ...otherwise }
      : { at: 'after', id: written.after, ...otherwise };
  };
  fc.assert(
    fc.property(ids, comers, fc.boolean(), (held, connect, loose) => {
      const expected = connectInOrder(held, connect, loose);
      const arranged = (): readonly number[] =>
        arrange(held, change({ connect: connect.map((one) => at(one.id, positionOf(one, loose))) }));
      if (expected === undefined) expect(arranged).toThrow(/needs to be connected first|circular reference/);
      else expect(arranged()).toEqual(expected);
    }),
    { numRuns: scaled(1000, 10_000) },
  );
});

describe('a connect', () => {
  test('that contains an entry twice is refused', () => {
    const twice = change({ connect: [at(4, { at: 'end' }), at(5, { at: 'end' }), at(4, { at: 'start' })] });
    expect(() => checkConnect(twice)).toThrow('The relation with id 4 is already connected');
    expect(() => checkConnect({ ...twice, replaces: true })).not.toThrow();
  });

  test('can position up to a limit of entries relative to later ones', () => {
    const chain = (length: number): LinkChange =>
      change({ connect: Array.from({ length }, (_, id) => at(id, { at: 'before', id: id + 1 })) });
    expect(() => checkConnect(chain(140))).not.toThrow();
    expect(() => checkConnect(chain(100_000))).toThrow('Too many relations are placed before/after');
  });
});

const integersTo20 = Array.from({ length: 20 }, (_, index) => index + 1);

/** A list with ranks that the counter has given, and a change that places some entries in it. */
const places = fc.array(fc.tuple(fc.constantFrom('start', 'end', 'before', 'after'), fc.nat()), { minLength: 8 });
const ids = fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 8 });
const placings = fc
  .tuple(ids, ids, places, fc.shuffledSubarray(integersTo20, { minLength: 8 }))
  .map(([held, comers, chosen, given]) => {
    const former = new Map(
      given
        .toSorted((a, b) => a - b)
        .flatMap((rank, index) => {
          const id = held[index];
          return id === undefined ? [] : [[id, rank] as const];
        }),
    );
    const present = [...held];
    const connect = comers.map((id, index) => {
      const [place = 'end', number = 0] = chosen[index] ?? [];
      const others = present.filter((one) => one !== id);
      const neighbour = others[number % others.length];
      if (!present.includes(id)) present.push(id);
      const beside = place === 'before' || place === 'after';
      if (!beside) return at(id, { at: place });
      return at(id, neighbour === undefined ? { at: 'end' } : { at: place, id: neighbour });
    });
    return { former, change: change({ connect }) };
  });

/** The ids of a list by their ranks. */
const byRank = (ranks: ReadonlyMap<number, number>): readonly number[] =>
  [...ranks].toSorted(([, a], [, b]) => a - b).map(([id]) => id);

/** The ranks of a list after a change; those at its end have ranks from 21. */
const stored = (former: ReadonlyMap<number, number>, made: LinkChange): ReadonlyMap<number, number> =>
  new Map([...former, ...(ranksBetween(former, made, 21) ?? [])]);

test('ranks insert new entries and keep the others in order', () => {
  fc.assert(
    fc.property(placings, ({ former, change: made }) => {
      const ranks = ranksBetween(former, made, 21) ?? new Map<number, number>();
      expect([...ranks.keys()].toSorted()).toEqual(made.connect.map(({ id }) => id).toSorted());
      const all = stored(former, made);
      expect(byRank(all)).toEqual(arrange([...former.keys()], made));
      expect(new Set(all.values()).size).toBe(all.size);
    }),
    { numRuns: scaled(500, 5000) },
  );
});

test('a link on its way comes where it would be if it had been stored before or after the change of its list', () => {
  const late = 31;
  // Reserved before the ranks of those at the end, or after.
  const reserved = fc.constantFrom(...integersTo20, 40);
  fc.assert(
    fc.property(placings, reserved, ({ former, change: made }, rank) => {
      fc.pre(![...former.values()].includes(rank));
      const before = byRank(new Map([...former, [late, rank]]));
      const serial = [arrange(before, made), [...arrange([...former.keys()], made), late]];
      expect(serial).toContainEqual(byRank(new Map([...stored(former, made), [late, rank]])));
      const whole = ranksOfList([...former.keys()]);
      expect(byRank(new Map([...whole, [late, rank]]))).toEqual([...former.keys(), late]);
    }),
    { numRuns: scaled(500, 5000) },
  );
});

test('a list can be changed again and again', () => {
  let list = ranksOfList([1, 2, 3]);
  for (let id = 4; id < 30; id += 1) {
    for (const position of [{ at: 'start' }, { at: 'after', id: 2 }, { at: 'before', id: 2 }] as const) {
      const made = change({ connect: [at(id, position)] });
      const order = arrange(byRank(list), made);
      list = new Map([...list, ...(ranksBetween(new Map([...list].toSorted(([, a], [, b]) => a - b)), made, 1) ?? [])]);
      expect(byRank(list)).toEqual(order);
    }
  }
});

test('ranks between which there is no number are undefined: all entries get new ones', () => {
  const ranks = new Map([
    [1, 1],
    [2, 1 + Number.EPSILON],
  ]);
  const made = change({ connect: [at(3, { at: 'after', id: 1 })] });
  expect(ranksBetween(ranks, made, 10)).toBeUndefined();
  // Links of an import without positions.
  const none = new Map([...ranks.keys()].map((id) => [id, 0]));
  expect(ranksBetween(none, made, 10)).toBeUndefined();
});
