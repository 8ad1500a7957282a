import { describe, expect, test } from '@jest/globals';
import fc from '../../support/fast-check.js';
import {
  blockOf,
  blockOfImage,
  imageIn,
  kindOf,
  textOf,
  type Block,
} from '../../../editor/inputs/blocks/block-kinds.js';
import { fromMarkdown, toMarkdown } from '../../../editor/inputs/blocks/inline.js';

const text = (content: string, marks: object = {}) => ({ type: 'text', text: content, ...marks });

test('marks and links are Markdown', () => {
  const children = [
    text('A '), text('bold', { bold: true }), text(', '), text('slanted', { italic: true }), text(', '),
    text('gone', { strikethrough: true }), text(' and '), text('x * y', { code: true }), text(' word with a '),
    { type: 'link', url: 'https://example.org/a_b', children: [text('link')] }, text('.'),
  ]; // prettier-ignore
  const markdown = toMarkdown(children);
  expect(markdown).toBe('A **bold**, _slanted_, ~~gone~~ and `x * y` word with a [link](<https://example.org/a_b>).');
  expect(fromMarkdown(markdown ?? '')).toEqual(children);
  expect(fromMarkdown('')).toEqual([text('')]);
});

test.each([
  [[text('under', { underline: true })]],
  [[text('a'), { type: 'mention', id: 1 }]],
  [[text(' spaced ', { bold: true })]],
  [undefined],
])('what Markdown cannot say is not edited as Markdown: %j', (children) => {
  expect(toMarkdown(children)).toBeUndefined();
});

/** Each letter with its marks. */
const letters = ({ text: content, ...marks }: any) => [...content].map((letter) => [letter, marks]);

test('empty texts around links, as Strapi stores them, mean nothing', () => {
  const link = { type: 'link', url: '/a', children: [text('a')] };
  expect(toMarkdown([text(''), link, text('')])).toBe('[a](</a>)');
  expect(toMarkdown([text('')])).toBe('');
});

test('whatever is edited as Markdown is the same after it is read back', () => {
  const mark = fc.constantFrom({}, { bold: true }, { italic: true }, { bold: true, italic: true }, { code: true });
  const content = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('a', ' ', '*', '_', '`', '<', '\n', '&', '[') }),
  );
  const node = fc.tuple(content, mark).map(([value, marks]) => text(value, marks));
  fc.assert(
    fc.property(fc.array(node, { minLength: 1, maxLength: 4 }), (children) => {
      const markdown = toMarkdown(children);
      const read = markdown === undefined ? children : fromMarkdown(markdown);
      expect(read.flatMap(letters)).toEqual(children.flatMap(letters));
    }),
  );
});

describe('a block that is edited as text', () => {
  const item = (...children: readonly object[]): object => ({ type: 'list-item', children });
  const list = { type: 'list', format: 'ordered', children: [item(text('one')), item(text('two', { bold: true }))] };

  test.each<[string, Block, string, string]>([
    ['code', { type: 'code', children: [text('a * b\n  <c>')] }, 'code', 'a * b\n  <c>'],
    ['a list', list, 'ordered', 'one\n**two**'],
    ['a heading', { type: 'heading', level: 2, children: [text('A_b')] }, 'heading2', String.raw`A\_b`],
  ])('%s is the same again', (_name, block, kind, typed) => {
    expect([kindOf(block), textOf(block)]).toEqual([kind, typed]);
    expect(blockOf(kind, typed)).toEqual(block);
  });

  test.each<[string, Block]>([
    ['a list in a list', { ...list, children: [...list.children, { ...list, indentLevel: 1 }] }],
    ['an item with a line break', { ...list, children: [item(text('one\ntwo'))] }],
    ['code with marks', { type: 'code', children: [text('a', { bold: true })] }],
    ['code of a language', { type: 'code', language: 'js', children: [text('a')] }],
    ['an image', { type: 'image', image: { url: '/a.png' }, children: [text('')] }],
    ['a block without children', { type: 'paragraph' }],
  ])('is not %s', (_name, block) => {
    expect(textOf(block)).toBeUndefined();
  });

  test('is an image of the library with what is known of the file', () => {
    const file = { url: '/a.png', alternativeText: null, width: 3, formats: { small: {} } };
    expect(blockOfImage(file)).toEqual({ type: 'image', image: file, children: [text('')] });
    expect(imageIn(blockOfImage(file))).toEqual({ url: '/a.png', alternativeText: '' });
    expect(blockOfImage({ formats: null })['image']).toEqual({ formats: {} });
    expect(imageIn({ type: 'image', image: null })).toBeUndefined();
  });
});
