import { expect, test } from '@jest/globals';
import { changeable, changedByValue, changeOperations } from '../../src/browser/model/lists/change.js';
import type { Attribute } from '../../src/browser/model/schema.js';
import { noLinks, type Value } from '../../src/browser/model/values.js';
import { article, content } from './content.js';

const find = (name: string): Attribute => article.attributes.find((one) => one.name === name) as Attribute;
const changeOf = (name: string, value: Value) => ({ attribute: find(name), value });
const ada = { id: 3, uid: 'api::author.author', title: 'Ada' };

test('several entries get the same value of what may be written, unless each has its own', () => {
  const names = (type = article) => changeable(type).map(({ name }) => name);
  expect(names()).toEqual([
    'title', 'rating', 'serial', 'meta', 'startsAt', 'opensAt', 'email', 'author', 'tags', 'links',
  ]); // prettier-ignore
  const attributes = [
    { ...find('rating'), unique: true },
    { ...find('author'), exclusive: true },
    { ...find('serial'), update: false },
    find('title'),
  ];
  expect(names({ ...article, attributes })).toEqual(['title']);
  expect([names({ ...article, plain: true }), names({ ...article, actions: ['find'] })]).toEqual([[], []]);
});

test('entries that have the value already are not changed, and of hidden ones all are', () => {
  const entry = (id: number, attributes: object) => ({ id, attributes: { ...attributes } });
  const changed = (change: ReturnType<typeof changeOf>, entries: readonly ReturnType<typeof entry>[]) =>
    changedByValue(content, article, change, entries).map(({ id }) => id);
  const rated = [entry(1, { rating: 4 }), entry(2, { rating: null }), entry(3, { rating: 5 })];
  expect(changed(changeOf('rating', '4'), rated)).toEqual([2, 3]);
  expect(changed(changeOf('rating', ''), rated)).toEqual([1, 3]);
  const written = [
    entry(1, { author: { data: { id: 3, attributes: { name: 'Ada' } } } }),
    entry(2, { author: { data: null } }),
  ];
  expect(changed(changeOf('author', { ...noLinks, items: [ada] }), written)).toEqual([2]);
  expect(changed(changeOf('email', 'a@example.org'), rated)).toEqual([1, 2, 3]);
});

test('a value is one operation for each entry, and prepared where entries have working copies', () => {
  const entries = [{ id: 7, attributes: {} }];
  expect(changeOperations(content, article, changeOf('rating', '4'), entries)).toEqual([
    { update: 'articles', id: 7, data: { rating: 4 } },
  ]);
  expect(
    changeOperations(
      content,
      { ...article, workingCopies: true },
      changeOf('author', { ...noLinks, items: [ada] }),
      entries,
    ),
  ).toEqual([{ update: 'articles', id: 7, status: 'draft', data: { author: 3 } }]);
});
