import { describe, expect, test } from '@jest/globals';
import fc from '../../support/fast-check.js';
import { arrange, checkConnect, rankBetween, strictly } from '../../../src/query/list-order.js';
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

test('ranks insert new entries and keep the others in order', () => {
  const ids = fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 8 });
  const places = fc.array(fc.tuple(fc.constantFrom('start', 'end', 'before', 'after'), fc.nat()), { minLength: 8 });
  fc.assert(
    fc.property(ids, ids, places, (held, comers, chosen) => {
      const storedRanks = new Map(held.map((id, index) => [id, index + 1]));
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
      const order = arrange(held, change({ connect }));
      const ranks = rankBetween(order, storedRanks, connect, 1000) ?? new Map<number, number>();
      expect([...ranks.keys()].toSorted()).toEqual([...comers].toSorted());
      const all = order.map((id) => ranks.get(id) ?? storedRanks.get(id));
      expect(all).toEqual(all.toSorted((a = 0, b = 0) => a - b));
      expect(new Set(all).size).toBe(all.length);
    }),
    { numRuns: scaled(500, 5000) },
  );
});

test('ranks between which there is no number are undefined: all entries get new ones', () => {
  const ranks = new Map([
    [1, 1],
    [2, 1 + Number.EPSILON],
  ]);
  const connect = [at(3, { at: 'after', id: 1 })];
  expect(rankBetween([1, 3, 2], ranks, connect, 10)).toBeUndefined();
  expect(rankBetween([1, 2], new Map([...ranks, [2, 1]]), [], 10)).toBeUndefined();
});
