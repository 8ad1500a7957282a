import { expect, test } from '@jest/globals';
import { editOf } from '../../../../src/mongo/stored/entry-edit.js';
import { transferAttributes } from '../../../../src/mongo/stored/working-copy.js';

test('an attribute travels with its ranks, references and unique keys, and others stay', () => {
  const entry = {
    _id: 1,
    title: 'published',
    tags: [1, 2],
    _rank: { tags: [5, 6], author: 9 },
    author: 3,
    cover: 7,
    _refs: [
      { a: 'cover', r: 'plugin::upload.file:7' },
      { a: 'blocks.4.image', r: 'plugin::upload.file:8' },
    ],
    _unique: [{ a: 'blocks.4.slug', k: 'block.slug=x' }],
  };
  const copy = {
    _id: 1,
    title: 'changed',
    tags: [2],
    _rank: { tags: [6], author: 8 },
    author: 4,
    _refs: [{ a: 'blocks.5.image', r: 'plugin::upload.file:9' }],
  };
  const published = editOf(entry);
  transferAttributes(editOf(copy), published, new Set(['title', 'tags', 'blocks']));
  expect(published.document()).toEqual({
    ...entry,
    title: 'changed',
    tags: [2],
    _rank: { author: 9, tags: [6] },
    _refs: [
      { a: 'cover', r: 'plugin::upload.file:7' },
      { a: 'blocks.5.image', r: 'plugin::upload.file:9' },
    ],
    _unique: undefined,
  });
  const unchanged = editOf(entry);
  transferAttributes(editOf(entry), unchanged, new Set(['title', 'tags', 'cover', 'blocks']));
  expect([...unchanged.fields]).toEqual([]);
});
