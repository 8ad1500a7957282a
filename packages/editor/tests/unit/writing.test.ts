import { describe, expect, test } from '@jest/globals';
import { createEditor, Editor, Transforms } from 'slate';
import { withHistory } from 'slate-history';
import fc from '../../../../tests/support/fast-check.js';
import { openBlocks } from '../../src/browser/writing/document/blocks.js';
import type { ElementNode, OpenDocument, Table, TextNode } from '../../src/browser/writing/document/document.js';
import { imageBlock, tableBlock } from '../../src/browser/writing/document/document.js';
import { indent, insertBlock, setKind, setLink, toggleMark } from '../../src/browser/writing/commands.js';
import { withCell, withColumn, withoutColumn, withoutRow, withRow } from '../../src/browser/writing/document/table.js';
import { withTyping } from '../../src/browser/writing/with-typing.js';
import { openMarkdown } from '../../src/browser/writing/document/markdown.js';

const text = (content: string, marks: Partial<TextNode> = {}): TextNode => ({ type: 'text', text: content, ...marks });
const block = (type: string, ...children: ElementNode['children']): ElementNode => ({ type, children });

/** Markdown of all kinds: whole constructs, and signs in any order. */
const markdown = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '# Bread\n', 'Title\n===\n', 'Flour and\nwater  \nand *salt*', '- a\n- b\n  - c\n', '* a\n\n* b\n\n  more\n', '3. x\n4. y\n',
        '> said\n> so', '> - in\n> - it', '```js\na\n\nb\n```\n', '    indented\n', '| a | b |\n| - | - |\n| 1 | 2 |\n', '---\n', '<div>\n*x*\n</div>\n',
        '![a](/u.png)', '![a](/u.png "t")', 'see [it][r] and <br> ![i](j)', '[r]: https://example.org\n', '- [ ] todo\n- [x] done\n', '\n', '\n\n', '\t', ' ',
        'https://example.org/a_b', '<https://example.org>', '&amp; \\* **b** __c__ `d`', '\r\n',
      ),
      fc.string({ unit: fc.constantFrom('a', ' ', '\n', '*', '_', '`', '#', '>', '-', '1', '.', '[', ']', '(', ')', '!', '<', '|', '~', '\\', '\t') }),
      fc.string({ unit: 'grapheme' }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join('')); // prettier-ignore

const inline = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string() }),
  fc.record({ type: fc.constant('text'), text: fc.string(), bold: fc.boolean() }),
  fc.record({ type: fc.constant('link'), url: fc.webUrl(), children: fc.constant([text('it')]) }),
);
const blocks = fc.array(
  fc.oneof(
    fc.record({ type: fc.constantFrom('paragraph', 'quote'), children: fc.array(inline) }),
    fc.record({ type: fc.constant('heading'), level: fc.integer({ min: 1, max: 6 }), children: fc.array(inline) }),
    fc.record({ type: fc.constant('list'), format: fc.constant('ordered'), children: fc.array(inline) }),
    fc.record({
      type: fc.constant('image'),
      image: fc.record({ url: fc.string() }),
      children: fc.constant([text('')]),
    }),
    fc.jsonValue({ maxDepth: 1 }),
  ),
);

/** What is written if the node at a place is replaced by an equal one, by another, or by none. */
const written = ({ nodes, write }: OpenDocument): string => write(nodes);

const isBlank = (value: string): boolean => value.trim() === '';

describe('a document that is not edited', () => {
  test('is the same Markdown', () => {
    fc.assert(
      fc.property(markdown, (source) => {
        const document = openMarkdown(source);
        const isMixed = source.includes('\r') && source !== source.replaceAll(/\r?\n/g, '\r\n');
        if (isBlank(source) || isMixed) return;
        expect(written(document)).toBe(source);
        // An edit that was undone.
        expect(document.write(structuredClone(document.nodes))).toBe(source);
      }),
      { numRuns: 500 },
    );
  });

  test('is the same list of blocks', () => {
    fc.assert(
      fc.property(blocks, (list) => {
        const document = openBlocks(JSON.stringify(list));
        const value = document === undefined ? '' : written(document);
        expect(value === '' ? [] : JSON.parse(value)).toEqual(JSON.parse(JSON.stringify(value === '' ? [] : list)));
      }),
    );
  });
});

describe('a block that is edited', () => {
  /** Words and signs; Markdown keeps no white space at the ends of a line. */
  const words = fc
    .array(fc.constantFrom('a', 'bread', '*', '_', '**', '`', '#', '>', '- ', '1.', '[x]', '(y)', '<b>', '&', '|', '~~', '\\', '!', '=', 'a_b_c'), { minLength: 1, maxLength: 8 })
    .map((parts) => parts.join(' ').trim()); // prettier-ignore

  test('is read back as it was written, and its neighbours stay as they were', () => {
    const type = fc.constantFrom({ type: 'paragraph' }, { type: 'quote' }, { type: 'heading', level: 2 });
    fc.assert(
      fc.property(markdown, type, words, (source, kind, typed) => {
        if (isBlank(source)) return;
        const { nodes, write } = openMarkdown(source);
        // HTML and code without an end go on to the end of the text.
        if (source.includes('\r') || openMarkdown(`${source}\n\nx`).nodes.length === nodes.length) return;
        const added: ElementNode = { ...kind, children: [text(typed)] };
        const changed = write([...nodes, added]);
        expect(changed.slice(0, source.trimEnd().length)).toBe(source.trimEnd());
        expect(openMarkdown(changed).nodes.at(-1)).toEqual(added);
      }),
    );
  });
});

describe('a table', () => {
  const source = 'Prices\n\n|a|b|\n|:-|-|\n|1|x \\| y|\n\nEnd';
  const tableIn = (markdown: string): Table | undefined =>
    openMarkdown(markdown).nodes.find(({ table }) => table)?.table;

  test('is edited cell by cell, with rows and columns', () => {
    const { nodes, write } = openMarkdown(source);
    const table = { align: ['left', null], rows: [['a', 'b'], ['1', 'x | y']] } as const; // prettier-ignore
    expect(tableIn(source)).toEqual(table);
    const written = (changed: Table): string => write(nodes.map((node) => (node.table ? tableBlock(changed) : node)));
    expect(written(table)).toBe(source);
    expect(written(withCell(table, 1, 0, '**2**'))).toBe(
      'Prices\n\n| a | b |\n| :--- | --- |\n| **2** | x \\| y |\n\nEnd',
    );
    expect(withColumn(withRow(table, 2), 1).rows).toEqual([['a', '', 'b'], ['1', '', 'x | y'], ['', '', '']]); // prettier-ignore
    expect(withoutColumn(withoutRow(table, 0), 0)).toEqual({ align: [null], rows: [['x | y']] });
  });

  test('is read back as it was written', () => {
    const cell = fc.constantFrom('', 'a', '**b**', 'x|y', '`c|d`', '[e](/f)', '<br>', '\\*', '- g', '#');
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 4 }), (rows) => {
        const table: Table = { align: ['right', null], rows };
        expect(tableIn(openMarkdown('').write([tableBlock(table)]))).toEqual(table);
      }),
    );
  });
});

describe('typing', () => {
  const start = (nodes: ElementNode[]): Editor => {
    const editor = withTyping(withHistory(createEditor()));
    editor.children = nodes;
    Transforms.select(editor, Editor.end(editor, []));
    return editor;
  };
  /** Each letter by itself; a line break is the key Enter, an arrow the key Tab or Backspace. */
  const typeInto = (editor: Editor, keys: string): Editor => {
    for (const key of keys) {
      if (key === '\n') editor.insertBreak();
      else if (key === '→') indent(editor);
      else if (key === '←') editor.deleteBackward('character');
      else editor.insertText(key);
    }
    return editor;
  };
  const typed = (keys: string): string => {
    const { nodes, write } = openMarkdown('');
    return write(typeInto(start(nodes), keys).children as ElementNode[]);
  };

  test.each([
    ['# Bread\nFlour and water', '# Bread\n\nFlour and water'],
    ['- flour\nrye\n→water\n\n\nText', '- flour\n- rye\n  - water\n\nText'],
    ['1. one\ntwo\n←no number', '1. one\n2. two\n\nno number'],
    ['> said\nby me', '> said\n\nby me'],
    ['``` a\nb\n\nafter', '```\na\nb\n```\n\nafter'],
    ['so **bold** and _slanted_, `a*b` ~~gone~~.', 'so **bold** and _slanted_, `a*b` ~~gone~~.'],
    ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
    ['# ←text', 'text'],
  ])('%j', (keys, markdown) => {
    expect(typed(keys)).toBe(markdown);
  });

  test('kinds, marks and links of what is selected', () => {
    const editor = start(openMarkdown('One [two](/2)\n\nThree').nodes);
    Transforms.select(editor, Editor.range(editor, []));
    setKind(editor, 'unordered');
    toggleMark(editor, 'bold');
    const { write } = openMarkdown('');
    expect(write(editor.children as ElementNode[])).toBe('- **One** [**two**](/2)\n- **Three**');
    setKind(editor, 'code');
    expect(write(editor.children as ElementNode[])).toBe('```\nOne two\n```\n\n```\nThree\n```');
    setKind(editor, 'paragraph');
    setLink(editor, 'https://example.org');
    expect(write(editor.children as ElementNode[])).toBe(
      '[One two](https://example.org)\n\n[Three](https://example.org)',
    );
    setLink(editor, '');
    insertBlock(editor, imageBlock({ url: '/u.png', alternativeText: 'A [mill]' }));
    typeInto(editor, 'End');
    expect(write(editor.children as ElementNode[])).toBe(
      '[One two](https://example.org)\n\nThree\n\n![A \\[mill\\]](/u.png)\n\nEnd',
    );
  });

  test('lists in lists say how deep they are, and blocks that were not touched stay as they were', () => {
    const others = [
      { type: 'mention', id: 1 },
      { type: 'heading', level: 2, children: [text('Old', { bold: false })] },
    ];
    const { nodes, write } = openBlocks(JSON.stringify([...others, block('paragraph', text(''))])) ?? openMarkdown('');
    typeInto(start(nodes), '- a\nb\n→c');
    const item = (content: string) => block('list-item', text(content));
    const editor = typeInto(start(nodes), '- a\nb\n→c');
    expect(JSON.parse(write(editor.children as ElementNode[]))).toEqual([
      ...others,
      {
        type: 'list',
        format: 'unordered',
        children: [item('a'), item('b'), { type: 'list', format: 'unordered', indentLevel: 1, children: [item('c')] }],
      },
    ]);
    expect(openBlocks(JSON.stringify({ a: 1 }))).toBeUndefined();
  });
});
