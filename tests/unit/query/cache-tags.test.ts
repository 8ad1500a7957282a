import { expect, test } from '@jest/globals';
import { createCacheTags, namesOfChanges, namesOfSources, type Names } from '../../../src/query/cache-tags.js';
import { affects, type Change } from '../../../src/query/change.js';
import fc from '../../support/fast-check.js';

const types = ['api::article.article', 'api::author.author', 'api::tag.tag'];
const type = fc.constantFrom(...types);
const attribute = fc.constantFrom('id', 'title', 'name', 'author');
const sources = fc.record({
  contents: fc.record({
    shown: fc.dictionary(type, fc.array(attribute)).map((byType) => toSets(byType)),
    joins: fc.array(
      fc.record({
        type,
        attribute: fc.constant('author'),
        of: type,
        existence: fc.constantFrom('id', 'published'),
      }),
      { maxLength: 2 },
    ),
  }),
  dependencies: fc
    .dictionary(type, fc.oneof(fc.constant('all' as const), fc.array(attribute)), { minKeys: 1 })
    .map(
      (byType) =>
        new Map(Object.entries(byType).map(([uid, names]) => [uid, names === 'all' ? names : new Set(names)])),
    ),
  ids: fc.oneof(
    fc.constant(undefined),
    fc.dictionary(type, fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 30 })).map((byType) => toSets(byType)),
  ),
});
type Sources = typeof sources extends fc.Arbitrary<infer T> ? T : never;
const id = fc.integer({ min: 1, max: 40 });
const links = fc.record({ author: fc.oneof(fc.constant(null), fc.array(id, { maxLength: 3 })) });
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ type }),
  fc.record({ type, id, links, names: fc.array(attribute) }, { requiredKeys: ['type', 'id', 'links'] }),
);

function toSets<T>(byType: Readonly<Record<string, readonly T[]>>): ReadonlyMap<string, ReadonlySet<T>> {
  return new Map(Object.entries(byType).map(([uid, values]) => [uid, new Set(values)]));
}

const isAffected = ({ dependencies, ids, contents }: Sources, changed: Change): boolean => {
  const decisive = dependencies.get(changed.type);
  if (decisive === undefined) return false;
  return affects(changed, ids === undefined ? 'all' : decisive, { ids, contents });
};
/** One text for each tag. */
const textsOf = (names: readonly Names[]): readonly string[] =>
  names.flatMap(({ type: uid, what, ids }) => [...ids].map((entry) => `${uid} ${what} ${entry}`));
const isPurged = (tags: readonly string[], changes: readonly string[]): boolean =>
  tags.some((tag) => changes.includes(tag));

test('a change purges a response if it affects it, and only then; with fewer tags also others', () => {
  fc.assert(
    fc.property(sources, change, fc.integer({ min: 2, max: 60 }), (response, changed, limit) => {
      const purged = textsOf(namesOfChanges([changed]));
      expect(isPurged(textsOf(namesOfSources(response, 1000)), purged)).toBe(isAffected(response, changed));
      const fewer = textsOf(namesOfSources(response, limit));
      expect(fewer.length).toBeLessThanOrEqual(limit);
      if (isAffected(response, changed)) expect(isPurged(fewer, purged)).toBe(true);
    }),
  );
});

test('types with the most entries lose their exact tags first: those of attributes, then those of entries', () => {
  const upTo = (count: number) => new Set(Array.from({ length: count }, (_, index) => index + 1));
  const [article, tag] = ['api::article.article', 'api::tag.tag'];
  const namesWith = (tags: number) =>
    namesOfSources(
      {
        ids: new Map([
          [article, upTo(2)],
          [tag, upTo(tags)],
        ]),
        dependencies: new Map([article, tag].map((uid) => [uid, new Set(['published'])])),
        contents: { shown: new Map([article, tag].map((uid) => [uid, new Set(['*', 'author'])])), joins: [] },
      },
      200,
    );
  const inOne = (uid: string) => ({ type: uid, ids: new Set([0]) });
  const ofArticles = [
    { type: '', what: 'every response', ids: new Set([0]) },
    { ...inOne(article), what: 'unnamed change' },
    { ...inOne(article), what: 'published' },
    { type: article, what: '*', ids: upTo(2) },
    { type: article, what: 'author', ids: upTo(2) },
  ];
  const ofTags = [
    { ...inOne(tag), what: 'unnamed change' },
    { ...inOne(tag), what: 'published' },
  ];
  expect(namesWith(90)).toEqual([
    ...ofArticles,
    ...ofTags,
    { type: tag, what: '*', ids: upTo(90) },
    { type: tag, what: 'author', ids: upTo(90) },
  ]);
  expect(namesWith(190)).toEqual([...ofArticles, ...ofTags, { type: tag, what: 'any change', ids: upTo(190) }]);
  expect(namesWith(200)).toEqual([...ofArticles, { ...inOne(tag), what: 'any change' }]);
});

test('200 tags fit into 8 kB; another secret has others; purging everything purges every response', () => {
  const [tags, others] = ['one', 'two'].map((secret) => createCacheTags(secret, 200)) as [CacheTags, CacheTags];
  const ids = new Map([['api::tag.tag', new Set(Array.from({ length: 197 }, (_, index) => index))]]);
  const response = { dependencies: new Map([['api::tag.tag', new Set(['id'])]]), ids };
  const list = tags.ofResponse(response);
  expect(new Set(list).size).toBe(200);
  expect(list.join(',').length).toBeLessThan(8000);
  expect(list.join()).toMatch(/^[\w,-]+$/);
  expect(list).toContain(tags.everything);
  expect(list).toContain(tags.ofChanges([{ type: 'api::tag.tag', id: 7, names: [], links: {} }])[2]);
  expect(isPurged(others.ofResponse(response), list)).toBe(false);
});

type CacheTags = ReturnType<typeof createCacheTags>;
