import { expect, test } from '@jest/globals';
import { bulkActions, changedBy, operationsOf, refusalsOf } from '../../src/browser/model/bulk.js';
import { previewOf } from '../../src/browser/model/preview.js';
import { article } from './content.js';

const draft = { id: 1, attributes: { publishedAt: null } };
const published = { id: 2, attributes: { publishedAt: '2026-01-01T00:00:00.000Z' } };
const now = new Date('2026-02-01T00:00:00.000Z');

test('several entries can be published, unpublished and deleted, as far as the user may', () => {
  expect(bulkActions(article)).toEqual(['publish', 'unpublish', 'delete']);
  expect(bulkActions({ ...article, draftAndPublish: false, actions: ['find'] })).toEqual([]);
});

test('entries that are published or drafts already are not written', () => {
  expect(changedBy('publish', [draft, published])).toEqual([draft]);
  expect(changedBy('unpublish', [draft, published])).toEqual([published]);
  expect(changedBy('delete', [draft, published])).toEqual([draft, published]);
});

test('an action is one operation for each entry', () => {
  expect(operationsOf(article, 'publish', [draft], now)).toEqual([
    { update: 'articles', id: 1, data: { publishedAt: '2026-02-01T00:00:00.000Z' } },
  ]);
  expect(operationsOf(article, 'unpublish', [published], now)).toEqual([
    { update: 'articles', id: 2, data: { publishedAt: null } },
  ]);
  expect(operationsOf(article, 'delete', [draft], now)).toEqual([{ delete: 'articles', id: 1 }]);
});

test.each([
  [
    { message: '2 errors occurred', details: { errors: [
      { path: ['operations', '1', 'data', 'title'], message: 'title must be defined' },
      { path: ['operations', '3', 'data'], message: 'is not complete' },
    ] } },
    [{ index: 1, message: 'title: title must be defined' }, { index: 3, message: 'is not complete' }],
  ],
  [{ message: 'operations[12]: Not Found', details: {} }, [{ index: 12, message: 'Not Found' }]],
  [{ message: 'The service cannot be reached' }, [{ index: undefined, message: 'The service cannot be reached' }]],
])('the reasons of a refused batch name the entries: %j', (error, refusals) => {
  expect(refusalsOf(error)).toEqual(refusals);
}); // prettier-ignore

test('the address of a preview has the values of the entry, escaped; without one of them there is none', () => {
  const type = { preview: 'https://www.example.org/{locale}/{slug}?id={id}' };
  expect(previewOf(type, { id: 7, attributes: { locale: 'fr', slug: 'a/b?' } })).toBe(
    'https://www.example.org/fr/a%2Fb%3F?id=7',
  );
  expect(previewOf(type, { id: 7, attributes: { locale: 'fr', slug: null } })).toBeUndefined();
  expect(previewOf({}, { id: 7, attributes: {} })).toBeUndefined();
});
