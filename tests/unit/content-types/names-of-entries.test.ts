import { expect, it } from '@jest/globals';
import { namesOfEntries } from '../../../src/content-types/model/names-of-entries.js';

const names: readonly (readonly [
  displayName: string,
  singular: string,
  plural: string,
  entry: string,
  list: string,
])[] = [
  ['Article', 'article', 'articles', 'Article', 'Articles'],
  ['Articles', 'article', 'articles', 'Article', 'Articles'],
  ['Blog Category', 'blog-category', 'blog-categories', 'Blog Category', 'Blog Categories'],
  ['Blog posts', 'blog-post', 'blog-posts', 'Blog post', 'Blog posts'],
  ['FAQ', 'faq', 'faqs', 'FAQ', 'FAQs'],
  ['Person', 'person', 'people', 'Person', 'People'],
  ['Analysis', 'analysis', 'analyses', 'Analysis', 'Analyses'],
  ['Office in town', 'office-in-town', 'offices-in-town', 'Office in town', 'Offices in town'],
  // A name of its own, which the API does not translate.
  ['Artikel', 'article', 'articles', 'Artikel', 'Artikel'],
  ['BlogPost', 'blog-post', 'blog-posts', 'BlogPost', 'BlogPost'],
];

it.each(names)('%s, of %s and %s: %s, %s', (displayName, singularName, pluralName, entryName, listName) => {
  const type = { kind: 'collectionType', displayName, singularName, pluralName } as const;
  expect(namesOfEntries(type)).toEqual({ entryName, listName });
});

it('leaves the name of a single type', () => {
  const type = { kind: 'singleType', displayName: 'Setting', singularName: 'setting', pluralName: 'settings' } as const;
  expect(namesOfEntries(type)).toEqual({ entryName: 'Setting', listName: 'Setting' });
});
