import { describe, expect, test } from '@jest/globals';
import { parseMorphLinks, parseRelation } from '../../../src/documents/input/relation-input.js';
import type { LinkChange, Position } from '../../../src/query/mutation.js';

const end: Position = { at: 'end' };
const set = (...ids: readonly number[]): LinkChange => ({
  replaces: true,
  disconnect: [],
  connect: ids.map((id) => ({ id, position: end })),
});
const change = (connect: LinkChange['connect'], disconnect: readonly number[] = []): LinkChange => ({
  replaces: false,
  disconnect,
  connect,
});

describe('a written relation', () => {
  test.each<readonly [unknown, LinkChange]>([
    [null, set()],
    [[], set()],
    [3, set(3)],
    ['3', set(3)],
    [{ id: 3 }, set(3)],
    [[3, '4', { id: 5 }], set(3, 4, 5)],
    [{ set: [4, { id: 3 }] }, set(4, 3)],
    [{ set: [], connect: [3] }, set()],
    [[4, 3, 4, 3], set(4, 3)],
  ])('%j replaces the links', (written, expected) => {
    expect(parseRelation(written)).toEqual(expected);
  });

  test.each([[{}], [{ name: 'x' }], [{ set: null }], [{ connect: null, disconnect: null }], [{ id: null }]])(
    '%j changes nothing',
    (written) => {
      expect(parseRelation(written)).toBeUndefined();
    },
  );

  test.each<readonly [unknown, LinkChange]>([
    [{ connect: [] }, change([])],
    [{ connect: [3, { id: '4' }] }, change([3, 4].map((id) => ({ id, position: end })))],
    [{ disconnect: [3, { id: 4 }, 3] }, change([], [3, 4])],
    [{ disconnect: 3 }, change([], [3])],
    [{ disconnect: { id: 3 } }, change([], [3])],
    [{ connect: [3], disconnect: [3, 4] }, change([{ id: 3, position: end }], [3, 4])],
    [{ connect: [3, 3, { id: 4 }, { id: 4 }] }, change([3, 4].map((id) => ({ id, position: end })))],
    [{ connect: [3, { id: 3 }] }, change([3, 3].map((id) => ({ id, position: end })))],
    [
      {
        connect: [
          { id: 3, position: { end: true } },
          { position: { end: true }, id: 3 },
        ],
      },
      change([{ id: 3, position: end }]),
    ],
    [
      { connect: [{ id: 3, position: { before: 4 } }], options: { strict: false } },
      change([{ id: 3, position: { at: 'before', id: 4, otherwise: 'end' } }]),
    ],
    [
      { connect: [{ id: 3, position: { before: 4 } }], options: { strict: true } },
      change([{ id: 3, position: { at: 'before', id: 4 } }]),
    ],
    [{ connect: [{ id: 3, position: { start: true } }] }, change([{ id: 3, position: { at: 'start' } }])],
    [{ connect: [{ id: 3, position: { end: true } }] }, change([{ id: 3, position: end }])],
    [{ connect: [{ id: 3, position: { before: 4 } }] }, change([{ id: 3, position: { at: 'before', id: 4 } }])],
    [{ connect: [{ id: 3, position: { after: '4' } }] }, change([{ id: 3, position: { at: 'after', id: 4 } }])],
    [
      { connect: [{ id: 3, position: { start: true } }, { id: 4 }, { id: 3, position: { end: true } }] },
      change([
        { id: 3, position: { at: 'start' } },
        { id: 4, position: end },
        { id: 3, position: end },
      ]),
    ],
  ])('%j changes the links', (written, expected) => {
    expect(parseRelation(written)).toEqual(expected);
  });

  test.each([
    [[null]],
    [[{ name: 'x' }]],
    [[[1]]],
    [[true]],
    [true],
    [{ set: 1 }],
    [{ connect: 1 }],
    [{ connect: { id: 1 } }],
    [{ disconnect: true }],
    [{ connect: [{ position: { start: true } }] }],
  ])('%j is invalid', (written) => {
    expect(() => parseRelation(written)).toThrow('Invalid relations');
  });

  test.each([['abc'], [''], ['1.5x']])('the string %j is an id that no entry has', (written) => {
    expect(parseRelation(written)?.connect[0]?.id).toBeNaN();
  });
});

describe('a written morph relation', () => {
  const link = { __type: 'api::tag.tag', id: 3 };
  const other = { ...link, id: 4 };

  test.each<readonly [unknown, readonly unknown[] | undefined]>([
    [null, []],
    [[], undefined],
    [{}, []],
    [link, [link]],
    [{ type: 'api::tag.tag', id: '3' }, [link]],
    [
      [link, other],
      [link, other],
    ],
    [
      [link, other, link, { ...link, id: '4' }],
      [link, other],
    ],
    [{ set: [link, other] }, [link, other]],
    [{ set: link }, [link]],
    [{ set: [] }, []],
    [{ set: null }, []],
  ])('%j refers to %j', (written, links) => {
    expect(parseMorphLinks(written, { many: true })).toEqual(links);
  });

  test.each([
    [3],
    [{ id: 3 }],
    [[null]],
    [{ __type: 5, id: 3 }],
    [{ __type: 'api::tag.tag' }],
    [{ set: 3 }],
    [{ set: [3] }],
    [{ connect: [link] }],
    [{ disconnect: [link] }],
    [{ name: 'x' }],
  ])('%j is invalid', (written) => {
    expect(() => parseMorphLinks(written, { many: true })).toThrow('Invalid relations');
  });

  test('an empty object is invalid for a to-one relation', () => {
    expect(() => parseMorphLinks({}, { many: false })).toThrow('Invalid relations');
  });
});
