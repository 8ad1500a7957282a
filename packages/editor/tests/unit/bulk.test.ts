import { expect, test } from '@jest/globals';
import {
  bulkActions,
  byEntry,
  changedBy,
  operationsOf,
  refusalsOf,
  stateOf,
} from '../../src/browser/model/lists/bulk.js';
import { previewOf } from '../../src/browser/model/preview.js';
import { article } from './content.js';

const draft = { id: 1, attributes: { publishedAt: null } };
const published = { id: 2, attributes: { publishedAt: '2026-01-01T00:00:00.000Z' } };
const modified = { ...published, id: 3, changes: [] };

test('several entries can be published, unpublished and deleted, as far as the user may', () => {
  expect(bulkActions(article)).toEqual(['publish', 'unpublish', 'delete']);
  expect(bulkActions({ ...article, draftAndPublish: false, actions: ['find'] })).toEqual([]);
});

test('an entry is a draft, published, or published and changed since', () => {
  expect([draft, published, modified].map((entry) => stateOf(entry))).toEqual(['draft', 'published', 'modified']);
});

test('entries that are published or drafts already are not written', () => {
  expect(changedBy('publish', [draft, published, modified])).toEqual([draft, modified]);
  expect(changedBy('unpublish', [draft, published, modified])).toEqual([published, modified]);
  expect(changedBy('delete', [draft, published])).toEqual([draft, published]);
});

test('an action is one operation for each entry', () => {
  expect(operationsOf(article, 'publish', [draft])).toEqual([
    { update: 'articles', id: 1, status: 'published', data: {} },
  ]);
  expect(operationsOf(article, 'unpublish', [published])).toEqual([
    { update: 'articles', id: 2, data: { publishedAt: null } },
  ]);
  expect(operationsOf(article, 'delete', [draft])).toEqual([{ delete: 'articles', id: 1 }]);
});

test.each([
  [
    { message: '2 errors occurred', details: { errors: [
      { path: ['operations', '1', 'data', 'title'], message: 'title must be defined' },
      { path: ['operations', '3', 'data'], message: 'is not complete' },
    ] } },
    [
      { index: 1, issue: { path: 'title', message: 'title must be defined' } },
      { index: 3, issue: { path: '', message: 'is not complete' } },
    ],
  ],
  [
    { message: 'operations[12]: Not Found', details: { errors: [
      { path: ['operations', '12', 'data'], message: 'Not Found' },
    ] } },
    [{ index: 12, issue: { path: '', message: 'Not Found' } }],
  ],
  [{ message: 'The service cannot be reached' }, [{ index: undefined, issue: { path: '', message: 'The service cannot be reached' } }]],
])('the reasons of a refused batch name the entries: %j', (error, refusals) => {
  expect(refusalsOf(error)).toEqual(refusals);
}); // prettier-ignore

test('the reasons of a refused batch belong to its entries, or to all of it', () => {
  const reason = (index: number | undefined, message: string) => ({ index, issue: { path: '', message } });
  const refusals = [reason(1, 'no title'), reason(1, 'no text'), reason(undefined, 'too many')];
  expect(byEntry(refusals, [draft, published])).toEqual([
    { entry: published, issues: [reason(1, 'no title').issue, reason(1, 'no text').issue] },
    { entry: undefined, issues: [reason(undefined, 'too many').issue] },
  ]);
});

test('the address of a preview has the values of the entry, escaped; without one of them there is none', () => {
  const type = { preview: 'https://www.example.org/{locale}/{slug}?id={id}' };
  expect(previewOf(type, { id: 7, attributes: { locale: 'fr', slug: 'a/b?' } })).toBe(
    'https://www.example.org/fr/a%2Fb%3F?id=7',
  );
  expect(previewOf(type, { id: 7, attributes: { locale: 'fr', slug: null } })).toBeUndefined();
  expect(previewOf({}, { id: 7, attributes: {} })).toBeUndefined();
});
