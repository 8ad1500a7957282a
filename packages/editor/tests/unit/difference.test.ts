import { expect, test } from '@jest/globals';
import { differenceOf } from '../../src/browser/form/compare/difference.js';
import { placesOf } from '../../src/browser/list/issue-places.js';
import { outlineOf } from '../../src/browser/form/compare/outline.js';
import type { Attribute } from '../../src/browser/model/schema.js';
import { noLinks, valuesOf, type Value } from '../../src/browser/model/values.js';
import { article, content } from './content.js';

/** A text with the marked words in brackets. */
const marked = (before: string, after: string): unknown => {
  const sides = differenceOf(before, after);
  return [sides.before, sides.after].map((pieces) =>
    pieces.map(({ text, isOwn }) => (isOwn ? `[${text}]` : text)).join(''),
  );
};

test('words that only one version has are marked in it', () => {
  expect(marked('Rye is old.', 'Rye is very old.')).toEqual(['Rye is old.', 'Rye is [very ]old.']);
  expect(marked('On Rye', 'On Wheat')).toEqual(['On [Rye]', 'On [Wheat]']);
  expect(marked('', 'On Rye')).toEqual(['', '[On Rye]']);
  expect(marked('Brötchen, über', 'Brötchen, unter')).toEqual(['Brötchen, [über]', 'Brötchen, [unter]']);
  expect(marked('Same', 'Same')).toEqual(['Same', 'Same']);
});

test('texts that are too long to compare are marked as a whole', () => {
  const long = 'a '.repeat(100_001);
  expect(differenceOf(long, 'b')).toEqual({
    before: [{ text: long, isOwn: true }],
    after: [{ text: 'b', isOwn: true }],
  });
});

const words = { yes: 'Yes', no: 'No' };
const outline = (name: string, value: Value, options: object = {}): string => {
  const attribute = article.attributes.find((one) => one.name === name) as Attribute;
  return outlineOf(content, { ...attribute, ...options }, value, words);
};

test('values of every kind can be compared as texts', () => {
  expect(outline('title', 'Rye')).toBe('Rye');
  expect(outline('title', true)).toBe('Yes');
  expect(outline('title', null)).toBe('');
  const tags = ['A', 'B'].map((title, index) => ({ id: index, uid: 'api::tag.tag', title }));
  expect(outline('tags', { ...noLinks, items: tags })).toBe('A\nB');
  const { links } = valuesOf(content, article, { links: [{ id: 1, url: '/a', label: 'One' }] });
  expect(outline('links', links ?? null)).toMatch(/^Link\n/);
  const blocks = JSON.stringify([
    {
      type: 'paragraph',
      children: [
        { type: 'text', text: 'One ' },
        { type: 'text', text: 'two' },
      ],
    },
    { type: 'list', children: [{ type: 'list-item', children: [{ type: 'text', text: 'three' }] }] },
  ]);
  expect(outline('title', blocks, { type: 'blocks' })).toBe('One two\nthree');
  expect(outline('title', 'no JSON', { type: 'blocks' })).toBe('no JSON');
});

test('a value is named by the way to it', () => {
  const values = valuesOf(content, article, { links: [{ id: 1, url: '/a' }] });
  expect(placesOf(content, article, values, 'title')).toEqual(['Title']);
  expect(placesOf(content, article, values, 'links.0.url')).toEqual(['Links', 'Link 1', 'Url']);
  expect(placesOf(content, article, values, 'links.0')).toEqual(['Links', 'Link 1']);
  const zone = {
    ...article,
    attributes: [{ ...article.attributes[11], name: 'blocks', label: 'Blocks', type: 'dynamiczone' }],
  };
  expect(placesOf(content, zone as never, undefined, 'blocks.2.text')).toEqual(['Blocks', '3', 'Text']);
});
