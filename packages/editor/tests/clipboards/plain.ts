import type { Clipboard } from './clipboard.js';

export const plain: readonly Clipboard[] = [
  {
    name: 'Markdown: blocks of all kinds',
    text: '## Title\n\n- one\n- two\n  - three\n\n[site](https://e.org "Site") and **bold**, *slanted*\n\n> said\n\n```js\na\n```\n\n| a | b |\n| - | -: |\n| 1 | 2 |\n\n1. x\n2. y\n\n- [x] done\n\n![m](/uploads/m.png)\n',
    markdown:
      '## Title\n\n- one\n- two\n  - three\n\n[site](https://e.org "Site") and **bold**, _slanted_\n\n> said\n\n```js\na\n```\n\n| a | b |\n| --- | ---: |\n| 1 | 2 |\n\n1. x\n2. y\n\n- [x] done\n\n![m](/uploads/m.png)',
    blocks: [
      'heading 2: Title',
      'list unordered: one / two / (three)',
      'paragraph: [site](https://e.org) and **bold**, _slanted_',
      'quote: said',
      'code js: a',
      'paragraph: a | b',
      'paragraph: 1 | 2',
      'list ordered: x / y',
      'list unordered: ☑ done',
      'paragraph: [m](/uploads/m.png)',
    ],
  },
  {
    name: 'Markdown: references, HTML and scripts',
    text: 'See [it][r] and <b onclick="x">that</b>, **so** [x](javascript:alert(1)).\n\n<script>alert(1)</script>\n\n[r]: https://e.org\n',
    markdown:
      'See [it](https://e.org) and \\<b onclick="x"\\>that\\</b\\>, **so** x.\n\n\\<script\\>alert(1)\\</script\\>',
    losses: 'Links that lead to no page are text now: javascript:alert(1).',
  },
  {
    name: 'plain text: signs that are no Markdown',
    text: 'snake_case_name costs 2 * 3 * 4 EUR\nhttps://example.org/a_b\n#hash',
    markdown: 'snake_case_name costs 2 * 3 * 4 EUR\n\nhttps://example.org/a_b\n\n#hash',
  },
  {
    name: 'plain text: paragraphs with lines',
    text: 'One\r\ntwo\r\n\r\nthree *\r\n',
    markdown: 'One\\\ntwo\n\nthree *',
  },
];
