import { expect, test } from '@jest/globals';
import { link } from '../../../src/content-types/link/link.js';
import { storedTypes } from '../../../src/content-types/model/stored-types.js';
import { indexesOf } from '../../../src/mongo/indexes/indexes.js';
import { hasStatus } from '../../../src/query/parse/parse-status.js';
import { contentType, define, file } from './define.js';

const articles = (options: object) =>
  contentType(
    'article',
    { title: { type: 'string', unique: true }, about: { type: 'relation', relation: 'morphToOne' } },
    { collectionName: 'articles', options: { draftAndPublish: true, ...options } },
  );

const linked = (options: object) => {
  const registry = link({ ...define(file, articles(options)) });
  const article = registry.contentTypes.get('api::article.article');
  if (article === undefined) throw new Error('not linked');
  return { registry, article };
};

test('working copies have a hidden type with the attributes of their entries', () => {
  const { registry, article } = linked({ workingCopies: true });
  const { copies } = article;
  expect(copies).toMatchObject({ uid: 'copy::article.article', collectionName: '_copies.articles' });
  expect(copies?.copyOf).toBe(article);
  expect(copies?.attributes).toBe(article.attributes);
  expect(storedTypes(registry)).toContain(copies);
  expect([...registry.contentTypes.keys()]).not.toContain('copy::article.article');
  const about = article.attributes.get('about');
  expect(about?.kind === 'morph' && about.candidates.has('copy::article.article')).toBe(false);
});

test('an index of a type with working copies ends with their mark, and copies have the indexes of entries', () => {
  const keysOf = (options: object, hidden = false) => {
    const { article } = linked({ indexes: [{ title: 1 }], ...options });
    return indexesOf(hidden && article.copies !== undefined ? article.copies : article).map(({ key }) =>
      Object.keys(key).join(' '),
    );
  };
  const plain = ['_live _id', 'title', '_refs.r', 'title _id _live'];
  const drafts = 'updatedAt _id _createdBy _updatedBy';
  const changes = 'updatedAt _id _updatedBy';
  // Who has published an entry is stored in it.
  expect(keysOf({})).toEqual(plain.toSpliced(3, 0, '_publication.at _id', drafts, changes));
  expect(keysOf({ workingCopies: true }, true)).toEqual(plain.toSpliced(3, 0, changes));
  expect(keysOf({ workingCopies: true })).toEqual([
    '_live _id',
    'title',
    '_refs.r',
    '_copied',
    '_publication.at _id',
    drafts,
    changes,
    'title _id _live _copied',
  ]);
});

test('a plugin can ask for them, and requests in the form of Strapi v4 have no status because of that', () => {
  const statusOf = (options: object, workingCopies: boolean): unknown => {
    const { contentTypes } = link(define(file, articles(options)), { workingCopies });
    const article = contentTypes.get('api::article.article');
    return [article?.copies !== undefined, article !== undefined && hasStatus(article)];
  };
  expect(statusOf({}, true)).toEqual([true, false]);
  expect(statusOf({ workingCopies: true }, true)).toEqual([true, true]);
  expect(statusOf({ draftAndPublish: false }, true)).toEqual([false, false]);
});

test('types without drafts, and those of plugins, cannot have working copies', () => {
  const mistakes = (draftAndPublish: boolean): readonly string[] => {
    try {
      link({ ...define(articles({ draftAndPublish, workingCopies: true })) });
      return [];
    } catch (error) {
      return [String(error)];
    }
  };
  expect(mistakes(true)).toEqual([]);
  expect(mistakes(false).join()).toMatch('options.workingCopies needs draftAndPublish');
  const own = { ...file, definition: { ...file.definition, options: { draftAndPublish: true, workingCopies: true } } };
  expect(() => link({ ...define(own) })).toThrow('options.workingCopies is for content types of the project');
});
