import { expect, test } from '@jest/globals';
import { link } from '../../../src/content-types/link/link.js';
import { storedTypes } from '../../../src/content-types/model/stored-types.js';
import { indexesOf } from '../../../src/mongo/indexes/indexes.js';
import { contentType, define, file, user } from './define.js';

const linked = (options: object) => {
  const attributes = {
    title: { type: 'string', unique: true },
    about: { type: 'relation', relation: 'morphToOne' },
    related: { type: 'relation', relation: 'manyToMany', target: 'api::article.article' },
  };
  const defined = contentType('article', attributes, { collectionName: 'articles', options });
  const registry = link({ ...define(file, defined) });
  const article = registry.contentTypes.get('api::article.article');
  if (article === undefined) throw new Error('not linked');
  return { registry, article };
};

test('deleted entries have a hidden type with the attributes of entries', () => {
  const { registry, article } = linked({ trash: 30, draftAndPublish: true, workingCopies: true });
  const { type, days } = article.trash ?? {};
  expect([days, type?.uid, type?.collectionName]).toEqual([30, 'trash::article.article', '_trash.articles']);
  expect(type?.trashOf).toBe(article);
  expect(type?.copies).toBeUndefined();
  expect(type?.attributes).toBe(article.attributes);
  expect(storedTypes(registry)).toEqual(expect.arrayContaining([article, article.copies, type]));
  expect([...registry.contentTypes.keys()]).not.toContain('trash::article.article');
});

test('nothing is unique in the trash, which is found by the time of deletion, by links and by the declared indexes', () => {
  const { article } = linked({ trash: 30, indexes: [{ title: 1 }] });
  const indexes = article.trash === undefined ? [] : indexesOf(article.trash.type);
  expect(indexes.map(({ key }) => Object.keys(key).join())).toEqual(['related', '_refs.r', '_deletedAt', 'title']);
  expect(indexes.some(({ unique }) => unique === true)).toBe(false);
});

test('the indexes of a type without a trash are as with one', () => {
  expect(indexesOf(linked({}).article)).toEqual(indexesOf(linked({ trash: 30 }).article));
});

test.each([0, 1.5, '30', true])('%j is no number of days', (trash) => {
  const note = contentType('note', { text: { type: 'string' } }, { options: { trash } });
  expect(() => link({ ...define(file, note) })).toThrow('options.trash');
});

test('of the types of plugins files alone have a trash, which no type of the project can collide with', () => {
  const kept = { ...file, definition: { ...file.definition, options: { trash: 30 } } };
  const { contentTypes } = link({ ...define(kept, contentType('file', { text: { type: 'string' } })) });
  expect(contentTypes.get('plugin::upload.file')?.trash?.type.uid).toBe('trash::plugin::upload.file');

  const definition = { ...user.definition, options: { trash: 30 } };
  expect(() => link({ ...define(file, { ...user, definition }) })).toThrow(
    'options.trash is for content types of the project',
  );
});
