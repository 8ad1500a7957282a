import { expect, test } from '@jest/globals';
import { anonymous, system } from '../../../src/documents/caller.js';
import { dropUnreadableTargets } from '../../../src/documents/input/permitted-data.js';
import { loadCorpus, typeOf } from '../../support/golden.js';

const data = { title: 'x', tags: [1], author: 2, cover: 3, seo: { metaTitle: 'y' }, nope: 4 };

test('system callers can write everything', async () => {
  expect(dropUnreadableTargets(data, typeOf(await loadCorpus(), 'article'), system)).toEqual(data);
});

test('relations to types that a caller may not list are dropped, as Strapi v4 does; files are not', async () => {
  const article = typeOf(await loadCorpus(), 'article');
  const { tags: _tags, author: _author, ...rest } = data;
  expect(dropUnreadableTargets(data, article, anonymous)).toEqual(rest);
  const reader = { ...anonymous, may: (action: string) => action === 'api::tag.tag.find' };
  expect(dropUnreadableTargets(data, article, reader)).toEqual({ ...rest, tags: [1] });
});

test('attributes that no client writes are dropped', async () => {
  const article = typeOf(await loadCorpus(), 'article');
  const written = { title: 'x', createdAt: '2001-01-01', updatedAt: '2001-01-01', publishedAt: null };
  expect(dropUnreadableTargets(written, article, anonymous)).toEqual({ title: 'x', publishedAt: null });
});

test.each<readonly [unknown, string]>([
  [[], '[]'],
  [[{}], '[\n  {}\n]'],
  [[{ name: 'x' }], '[\n  {\n    "name": "\\"x\\""\n  }\n]'],
  ['text', '"text"'],
  [5, '5'],
  [null, 'null'],
])('data that is not an object is refused: %j', async (written, printed) => {
  const article = typeOf(await loadCorpus(), 'article');
  expect(() => dropUnreadableTargets(written, article, system)).toThrow(
    `this must be a \`object\` type, but the final value was: \`null\` (cast from the value \`${printed}\`).`,
  );
});
