import { describe, expect, test } from '@jest/globals';
import { createEditor, Editor, Transforms } from 'slate';
import { withHistory, type HistoryEditor } from 'slate-history';
import fc from '../../../../tests/support/fast-check.js';
import { openBlocks } from '../../src/browser/writing/document/blocks.js';
import type { ElementNode, Format, OpenDocument, TextNode } from '../../src/browser/writing/document/document.js';
import { imageBlock, lineBlock, tableBlock } from '../../src/browser/writing/document/document.js';
import { indent, insertBlock, setKind, setLink, toggleMark } from '../../src/browser/writing/commands.js';
import { withTyping } from '../../src/browser/writing/with-typing.js';
import { cellAt, tableActions } from '../../src/browser/writing/table-commands.js';
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
        '![a](/u.png)', '![a](/u.png "t")', 'see [it][r] and <br> ![i](j)', '[r]: https://example.org\n', '- [ ] todo\n- [x] done\n', '***\n', '- - -\n', '[a](/b "c")', '<img src="/u.png" alt="" width="40">\n', '__c__ *d*\n\n', '+ plus\n', '\n', '\n\n', '\t', ' ',
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
  const source = 'Prices\n\n|a|b|\n|:-|-|\n|1|x \\| **y**<br>z|\n\nEnd';
  const tableIn = (markdown: string): ElementNode | undefined =>
    openMarkdown(markdown).nodes.find(({ type }) => type === 'table');
  const cell = (...children: TextNode[]) => block('table-cell', ...children);

  test('has cells with marks and line breaks, and keeps its source', () => {
    const { nodes, write } = openMarkdown(source);
    expect(tableIn(source)).toEqual({
      type: 'table',
      align: ['left', null],
      children: [
        block('table-row', cell(text('a')), cell(text('b'))),
        block('table-row', cell(text('1')), cell(text('x | '), text('y', { bold: true }), text('\nz'))),
      ],
    });
    expect(write(nodes)).toBe(source);
    const changed = tableBlock([[[text('a')], [text('b')]], [[text('2', { bold: true })], [text('x | y\nz')]]], ['left']); // prettier-ignore
    expect(write(nodes.map((node) => (node.type === 'table' ? changed : node)))).toBe(
      'Prices\n\n| a | b |\n| :--- | --- |\n| **2** | x \\| y<br>z |\n\nEnd',
    );
  });

  test('is read back as it was written', () => {
    const words = fc.constantFrom('', 'a', 'x|y', '[e](/f)', '<br>', '*', '- g', '#', '`', 'a_b');
    const content = fc
      .record({ words, bold: fc.boolean() })
      .map(({ words: typed, bold }) => [text(typed, bold && /^\w/.test(typed) ? { bold } : {})]);
    fc.assert(
      fc.property(fc.array(fc.tuple(content, content), { minLength: 1, maxLength: 4 }), (rows) => {
        const table = tableBlock(rows, ['right']);
        expect(tableIn(openMarkdown('').write([table]))).toEqual(table);
      }),
    );
  });
});

describe('typing', () => {
  const start = (nodes: ElementNode[], format: Format = 'markdown'): Editor & HistoryEditor => {
    const editor = withTyping(withHistory(createEditor()), format);
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
    ['```js\na\n\nafter', '```js\na\n```\n\nafter'],
    ['a\n---\nb', 'a\n\n---\n\nb'],
    ['see [the *mill*](https://example.org/a) now', 'see [the _mill_](https://example.org/a) now'],
    ['a **b *c* d** e', 'a **b _c_ d** e'],
    ['[a](javascript:x) b', '\\[a\\](javascript:x) b'],
    ['- [ ] mill\n[x] bake', '- [ ] mill\n- [x] bake'],
    ['2024. was', '2024\\. was'],
    ['*', '\\*'],
    ['#hash and 1) one', '#hash and 1) one'],
  ])('%j', (keys, markdown) => {
    expect(typed(keys)).toBe(markdown);
  });

  test.each(['# ', '1. ', '* ', '- [ ] ', 'a **b**', '`c`', '[a](/b)'])(
    'what %j became is the typed text again by Undo',
    (keys) => {
      const editor = typeInto(start(openMarkdown('').nodes), keys);
      const become = JSON.stringify(editor.children);
      editor.undo();
      const sign = keys.startsWith('- [') ? '[ ] ' : keys;
      expect(Editor.string(editor, [])).toBe(sign);
      expect(JSON.stringify(editor.children)).not.toBe(become);
    },
  );

  test('cells are gone through, emptied and kept, and tables removed whole', async () => {
    const { nodes, write } = openMarkdown('A\n\n| a | b |\n| - | - |\n| c | d |\n\nZ');
    const editor = start(nodes);
    const result = (): string => write(editor.children as ElementNode[]);
    Transforms.select(editor, { path: [1, 1, 0, 0], offset: 1 });
    typeInto(editor, '\n2\n3');
    expect(result()).toBe('A\n\n| a | b |\n| --- | --- |\n| c | d |\n| 2 |  |\n| 3 |  |\n\nZ');
    editor.deleteBackward('character');
    editor.deleteBackward('character');
    expect(result()).toBe('A\n\n| a | b |\n| --- | --- |\n| c | d |\n| 2 |  |\n|  |  |\n\nZ');
    setKind(editor, 'heading1');
    // What follows is another step of Undo.
    await Promise.resolve();
    insertBlock(editor, lineBlock());
    expect(editor.children.map((node) => 'type' in node && node.type)).toEqual([
      'paragraph',
      'table',
      'line',
      'paragraph',
    ]);
    editor.undo();
    Transforms.select(editor, { anchor: { path: [0, 0], offset: 1 }, focus: { path: [1, 0, 0, 0], offset: 1 } });
    editor.deleteFragment();
    expect(result()).toBe('A\n\n|  | b |\n| --- | --- |\n| c | d |\n| 2 |  |\n|  |  |\n\nZ');
    await Promise.resolve();
    Transforms.select(editor, Editor.range(editor, []));
    editor.insertText('B');
    expect(editor.children).toEqual([block('paragraph', text('B'))]);
    editor.undo();
    Transforms.select(editor, Editor.range(editor, []));
    editor.deleteFragment();
    expect(result()).toBe('');
    editor.undo();
    Transforms.select(editor, { path: [1, 1, 1, 0], offset: 1 });
    for (const action of ['addRow', 'addColumn', 'removeRow', 'removeColumn'] as const) {
      const cell = cellAt(editor);
      if (cell === undefined) throw new Error(action);
      tableActions[action](editor, cell);
    }
    expect(result()).toBe('A\n\n|  | b |\n| --- | --- |\n| c | d |\n| 2 |  |\n|  |  |\n\nZ');
  });

  test('a table that is not one is mended', () => {
    const editor = start([
      {
        type: 'table',
        children: [block('table-row', block('table-cell', block('paragraph', text('a')))), block('table-row')],
      },
      block('table-cell', text('b')),
    ]);
    Editor.normalize(editor, { force: true });
    expect(editor.children).toEqual([
      { type: 'table', align: [null], children: [[text('a')], [{ text: '' }]].map((inner) => block('table-row', block('table-cell', ...inner))) }, // prettier-ignore
      block('paragraph', text('b')),
    ]);
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
    insertBlock(editor, imageBlock({ url: '/u.png', alternativeText: 'A [mill]' }, 'markdown'));
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
