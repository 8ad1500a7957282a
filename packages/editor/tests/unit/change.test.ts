import { expect, test } from '@jest/globals';
import {
  changeable,
  changedByValue,
  changeOperations,
  undoOperation,
  type ChangeWay,
} from '../../src/browser/model/lists/change.js';
import type { Attribute } from '../../src/browser/model/schema.js';
import { noLinks, type Value } from '../../src/browser/model/values.js';
import { article, content } from './content.js';

const find = (name: string): Attribute => article.attributes.find((one) => one.name === name) as Attribute;
const changeOf = (name: string, value: Value, way: ChangeWay = 'replace') => ({ attribute: find(name), way, value });
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

test('related entries are added to those of each entry, removed from them, or take their place', () => {
  const tagged = (id: number, ...ids: readonly number[]) => ({
    id,
    attributes: { tags: { data: ids.map((tag) => ({ id: tag, attributes: {} })) } },
  });
  const tags = (...ids: readonly number[]) => ({
    ...noLinks,
    items: ids.map((id) => ({ id, uid: 'api::tag.tag', title: `#${id}` })),
  });
  const entries = [tagged(1), tagged(2, 7), tagged(3, 8, 7)];
  const outcome = (way: ChangeWay) => {
    const change = changeOf('tags', tags(7), way);
    const changed = changedByValue(content, article, change, entries).map(({ id }) => id);
    const [operation] = changeOperations(content, article, change, [tagged(1)]);
    return [changed, operation];
  };
  const update = (data: object) => ({ update: 'articles', id: 1, data });
  expect(outcome('add')).toEqual([[1], update({ tags: { connect: [7] } })]);
  expect(outcome('remove')).toEqual([[2, 3], update({ tags: { disconnect: [7] } })]);
  expect(outcome('replace')).toEqual([[1, 3], update({ tags: [7] })]);
  const undo = (way: ChangeWay, now: ReturnType<typeof tagged>) =>
    undoOperation(content, article, changeOf('tags', tags(7), way), tagged(1, 7, 8), now);
  expect(undo('remove', tagged(1, 8))).toEqual(update({ tags: [7, 8] }));
  expect(undo('replace', tagged(1, 7))).toEqual(update({ tags: [7, 8] }));
  // Somebody has given it another one since.
  expect(undo('replace', tagged(1, 7, 9))).toBeUndefined();
  expect(undo('add', tagged(1, ...Array.from({ length: 101 }, (_, index) => index)))).toBeUndefined();
});

test('components that a change made are taken back, too', () => {
  const parts = [{ key: 'new', component: 'shared.link', values: { label: 'New', key: '', url: '/' } }];
  const entry = (id: number, label: string) => ({ id: 1, attributes: { links: [{ id, label, url: '/' }] } });
  const undo = (now: ReturnType<typeof entry>) =>
    undoOperation(content, article, changeOf('links', parts), entry(3, 'Old'), now);
  expect(undo(entry(4, 'New'))).toMatchObject({ data: { links: [{ id: 4, label: 'Old' }] } });
  expect(undo(entry(4, 'Other'))).toBeUndefined();
});
