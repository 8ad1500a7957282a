import type { Token, Tokens } from 'marked';
import { isText, tableBlock, type ElementNode } from './document.js';
import { readInline, writeInline, type Style } from './inline.js';

const emptyCell = (): ElementNode['children'] => [{ type: 'text', text: '' }];

export const newTable = (): ElementNode => tableBlock([0, 1].map(() => [0, 1].map(emptyCell)));

const LINE_BREAK = /^<br\s*\/?>$/i;

export const readTable = ({ align, header, rows }: Tokens.Table): ElementNode =>
  tableBlock(
    [header, ...rows].map((cells) => cells.map(({ tokens }) => readInline(tokens.map(withLineBreak)))),
    align,
  );

/** A cell is one line of Markdown: those in it are HTML. */
const withLineBreak = (token: Token): Token =>
  token.type === 'html' && LINE_BREAK.test(token.raw) ? { type: 'br', raw: token.raw } : token;

const rules = { none: '---', left: ':---', center: ':---:', right: '---:' } as const;

/** A table in Markdown. A backslash before a pipe means the pipe, as everywhere in a table. */
export function writeTable({ align = [], children }: ElementNode, style: Style): string {
  const [head = [], ...rows] = children.map((row) =>
    isText(row) ? [] : row.children.map((cell) => cellOf(cell, style)),
  );
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = line(head.map((_, column) => rules[align[column] ?? 'none']));
  return [line(head), rule, ...rows.map(line)].join('\n');
}

const cellOf = (cell: ElementNode['children'][number], style: Style): string =>
  writeInline(isText(cell) ? [cell] : cell.children, { ...style, lineBreak: '<br>' })
    .trim()
    .replaceAll(/\\*\|/g, String.raw`\|`);
