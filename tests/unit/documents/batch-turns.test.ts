import { beforeAll, expect, test } from '@jest/globals';
import type { ContentType, Registry } from '../../../src/content-types/model/types.js';
import { system } from '../../../src/documents/caller.js';
import type { Operation } from '../../../src/documents/write/batch/turns.js';
import { turnsOf } from '../../../src/documents/write/batch/turns.js';
import { plainEntry } from '../../../src/query/entry-presenter.js';
import { loadCorpus, typeOf } from '../../support/golden.js';

let registry: Registry;
beforeAll(async () => {
  registry = await loadCorpus();
});

const request = { caller: system, presenter: plainEntry, selection: {} };
const create = (name: string, data: object, more: object = {}): Operation =>
  ({ kind: 'create', type: typeOf(registry, name), request, data, ...more }) as Operation;
const update = (name: string, id: number, data: object, caller = system): Operation =>
  ({ kind: 'update', type: typeOf(registry, name), id, request: { ...request, caller }, data }) as Operation;
const remove = (name: string, id: number): Operation =>
  ({ kind: 'delete', type: typeOf(registry, name), id, request }) as Operation;

/** A type with some of its attributes changed or added. */
const withAttributes = (name: string, changed: Readonly<Record<string, object>>): ContentType => {
  const type = typeOf(registry, name);
  const attributes = Object.entries(changed).map(([key, value]) => [key, { ...type.attributes.get(key), ...value }]);
  return { ...type, attributes: new Map([...type.attributes, ...(attributes as [])]) };
};

/** How many operations each turn has. */
const sizes = (operations: readonly Operation[], runsCode: (type: ContentType) => boolean = () => false) =>
  turnsOf(operations, runsCode).map(({ length }) => length);

test('creations and updates of one type share a turn if they only write their own entries', () => {
  expect(sizes([create('author', { name: 'a' }), create('author', { name: 'b', email: 'b@example.org' })])).toEqual([
    2,
  ]);
  const data = { title: 'a', tags: [1], author: 1 };
  expect(sizes([update('article', 1, data), update('article', 2, data), update('article', 3, data)])).toEqual([3]);
  expect(sizes([create('tag', { name: 'a' }), update('tag', 1, { color: 'red' }), remove('tag', 2)])).toEqual([
    1, 1, 1,
  ]);
  expect(sizes([update('tag', 1, { color: 'red' }), update('author', 1, { name: 'a' })])).toEqual([1, 1]);
  expect(sizes([remove('tag', 1), remove('tag', 2)])).toEqual([1, 1]);
});

test.each<readonly [string, () => readonly Operation[]]>([
  ['creations of named entries', () => [create('tag', { name: 'a' }, { as: 'a' }), create('tag', { name: 'b' })]],
  [
    'generated values',
    () => {
      const type = withAttributes('article', { slug: { generatedFrom: 'title' } });
      return ['a', 'b'].map((title) => create('article', { title }, { type }));
    },
  ],
  ['localizations', () => [1, 2].map((localizationOf) => create('setting', { name: 'a' }, { localizationOf }))],
  ['updates of unique values', () => [1, 2].map((id) => update('author', id, { email: `${id}@example.org` }))],
  ['updates of components', () => [1, 2].map((id) => update('article', id, { seo: { metaTitle: 'a' } }))],
  [
    'updates of values that localizations share',
    () => {
      const type = withAttributes('article', { locale: { name: 'locale' }, localizations: { name: 'localizations' } });
      return [1, 2].map((id) => ({ ...update('article', id, { views: id }), type }));
    },
  ],
  ['links to entries of their own type', () => [1, 2].map((id) => update('category', id, { parent: 3 }))],
  ['morph relations', () => [1, 2].map((id) => update('comment', id, { subject: null }))],
  ['relations with one owner', () => [1, 2].map((id) => update('article', id, { seoCard: id }))],
  ['relations that the other side stores', () => [1, 2].map((id) => update('tag', id, { articles: [1] }))],
  [
    'callers with rules',
    () => [1, 2].map((id) => update('tag', id, { color: 'red' }, { ...system, where: () => undefined })),
  ],
])('%s are executed one after the other', (_, operations) => {
  expect(sizes(operations())).toEqual([1, 1]);
});

test('code of the project sees the order of the operations', () => {
  expect(sizes([update('tag', 1, { color: 'a' }), update('tag', 2, { color: 'b' })], () => true)).toEqual([1, 1]);
});
