import { expect, test } from '@jest/globals';
import { withoutUpdate } from '../../../../src/mongo/write/batch/undo-update.js';

const mark = { a: '_batch', n: 9 };
const before = {
  _id: 1,
  title: 'before',
  tags: [1],
  _rank: { tags: [10] },
  cover: 7,
  _refs: [{ a: 'cover', r: 'file:7' }],
  publishedAt: new Date(1),
  _live: 1,
  _marks: [{ a: 'tags', n: 3 }],
  updatedAt: new Date(1),
};
const after = {
  _id: 1,
  title: 'after',
  body: 'new',
  tags: [1, 2],
  _rank: { tags: [10, 11] },
  links: [{ id: 4, slug: 's' }],
  _unique: [{ a: 'links.4.slug', k: 's' }],
  _at: { body: 5 },
  _marks: [{ a: 'tags', n: 3 }, { a: 'tags', n: 11 }, mark],
  updatedAt: new Date(2),
};

test('an entry that nobody has changed since gets its former form', () => {
  expect(withoutUpdate({ before, after, current: after })).toEqual(before);
});

test('an entry that is undone has no mark of a batch that is not decided', () => {
  const pending = {
    before: { ...before, _pending: 8 },
    after: { ...after, _pending: 9 },
    current: { ...after, _pending: 9 },
  };
  expect(withoutUpdate(pending)).toEqual(before);
});

test('attributes that others have changed since stay, with all that is stored beside them', () => {
  const current = {
    ...after,
    body: 'of another request',
    _at: { body: 6 },
    tags: [1, 2, 3],
    _rank: { tags: [10, 11, 12] },
    _marks: [...after._marks, { a: 'tags', n: 12 }],
    publishedAt: new Date(3),
    _live: 1,
    updatedAt: new Date(3),
  };
  expect(withoutUpdate({ before, after, current })).toEqual({
    _id: 1,
    title: 'before',
    body: 'of another request',
    _at: { body: 6 },
    tags: [1, 2, 3],
    _rank: { tags: [10, 11, 12] },
    cover: 7,
    _refs: [{ a: 'cover', r: 'file:7' }],
    publishedAt: new Date(3),
    _live: 1,
    _marks: [
      { a: 'tags', n: 3 },
      { a: 'tags', n: 12 },
    ],
    updatedAt: new Date(3),
  });
});
