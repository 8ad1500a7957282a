import { expect, test } from '@jest/globals';
import { differenceOf } from '../../src/browser/form/compare/difference.js';
import { placesOf } from '../../src/browser/list/issue-places.js';
import { foldedOf } from '../../src/browser/form/compare/fold.js';
import { outlineOf } from '../../src/browser/form/compare/outline.js';
import type { Attribute } from '../../src/browser/model/schema.js';
import { noLinks, valuesOf, type Value } from '../../src/browser/model/values.js';
import { article, content } from './content.js';

/** A text with the marked words in brackets. */
const marked = (before: string, after: string): unknown => {
  const sides = differenceOf(before, after);
  return [sides.before, sides.after].map((pieces) =>
    pieces.map(({ text, isOwn }) => (isOwn && text !== '' ? `[${text}]` : text)).join(''),
  );
};

test('words that only one version has are marked in it', () => {
  expect(marked('Rye is old.', 'Rye is very old.')).toEqual(['Rye is old.', 'Rye is [very ]old.']);
  expect(marked('On Rye', 'On Wheat')).toEqual(['On [Rye]', 'On [Wheat]']);
  expect(marked('', 'On Rye')).toEqual(['', '[On Rye]']);
  expect(marked('Brötchen, über', 'Brötchen, unter')).toEqual(['Brötchen, [über]', 'Brötchen, [unter]']);
  expect(marked('Same', 'Same')).toEqual(['Same', 'Same']);
});

/** A text as `marked` shows it, with the number of paragraphs that are left out. */
const folded = (text: string, other: string): string =>
  foldedOf(text, other)
    .map((piece) => {
      if ('paragraphs' in piece) return `<${piece.paragraphs}>`;
      return piece.isOwn && piece.text !== '' ? `[${piece.text}]` : piece.text;
    })
    .join('');

const paragraphs = (count: number): string[] => Array.from({ length: count }, (_, index) => `Paragraph ${index}`);

test('of a long text the paragraphs around what differs are shown, in both versions', () => {
  const before = paragraphs(20).join('\n\n');
  const changed = before.replace('Paragraph 18', 'Paragraph eighteen');
  expect(folded(before, changed)).toBe('<17>Paragraph 17\n\nParagraph [18]\n\nParagraph 19');
  expect(folded(changed, before)).toBe('<17>Paragraph 17\n\nParagraph [eighteen]\n\nParagraph 19');
  // Where the other version has a paragraph more, this one shows its place.
  const longer = before.replace('Paragraph 10\n', 'Paragraph 10\n\nNew\n');
  expect(folded(longer, before)).toMatch(/^<10>Paragraph 10\n\n.*New.*<8>$/s);
  expect(folded(before, longer)).toMatch(/^<\d+>Paragraph .*<\d+>$/s);
  expect(folded(before, before)).toBe(before);
  const few = paragraphs(4).join('\n');
  expect(folded(few, few.replace('3', 'three'))).toBe('Paragraph 0\nParagraph 1\nParagraph 2\nParagraph [3]');
});

test('each paragraph is shown, or counted', () => {
  const text = paragraphs(30).join('\n\n');
  for (const at of [0, 7, 15, 29]) {
    const other = text.replace(new RegExp(`Paragraph ${at}\\b`), 'Another');
    const shown = foldedOf(text, other);
    const left = shown.reduce((sum, piece) => sum + ('paragraphs' in piece ? piece.paragraphs : 0), 0);
    const words = shown.map((piece) => ('paragraphs' in piece ? '' : piece.text)).join('');
    expect([at, left + (words.match(/Paragraph \d+/g) ?? []).length]).toEqual([at, 30]);
    expect(left).toBeGreaterThan(20);
  }
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
