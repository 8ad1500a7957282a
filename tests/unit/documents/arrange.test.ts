import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { arrange, rankBetween } from '../../../src/documents/arrange.js';
import type { LinkChange, Position } from '../../../src/query/write.js';

const change = (given: Partial<LinkChange>): LinkChange => ({ replaces: false, disconnect: [], connect: [], ...given });
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
  ])('%s', (_, given, gives) => {
    expect(arrange([1, 2, 3], change(given))).toEqual(gives);
  });

  test.each<readonly [string, Partial<LinkChange>, string]>([
    ['one that is not there', { connect: [at(4, { at: 'before', id: 9 })] }, '{"before":9}. The relation with id 9'],
    ['itself', { connect: [at(1, { at: 'after', id: 1 })] }, '{"after":1}. The relation with id 1'],
    [
      'one that goes',
      { disconnect: [2], connect: [at(4, { at: 'after', id: 2 })] },
      '{"after":2}. The relation with id 2',
    ],
    [
      'one that comes later',
      { connect: [at(4, { at: 'after', id: 5 }), at(5, { at: 'end' })] },
      '{"after":5}. The relation with id 5',
    ],
  ])('has no place beside %s', (_, given, message) => {
    expect(() => arrange([1, 2, 3], change(given))).toThrow(message);
  });
});

test('ranks put what comes into its place, and all others keep theirs', () => {
  const ids = fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 8 });
  const places = fc.array(fc.tuple(fc.constantFrom('start', 'end', 'before', 'after'), fc.nat()), { minLength: 8 });
  fc.assert(
    fc.property(ids, ids, places, (held, comers, chosen) => {
      const known = new Map(held.map((id, index) => [id, index + 1]));
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
      const ranks = rankBetween(order, known, new Set(comers), 1000);
      expect([...ranks.keys()].toSorted()).toEqual([...comers].toSorted());
      const all = order.map((id) => ranks.get(id) ?? known.get(id));
      expect(all).toEqual(all.toSorted((a = 0, b = 0) => a - b));
      expect(new Set(all).size).toBe(all.length);
    }),
    { numRuns: 2000 },
  );
});
