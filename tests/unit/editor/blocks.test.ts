import { expect, test } from '@jest/globals';
import fc from '../../support/fast-check.js';
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
