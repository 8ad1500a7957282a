import { Lexer, type Token, type Tokens } from 'marked';
import { isEmpty, isText, paragraph, tableBlock, type ElementNode, type OpenDocument } from './document.js';
import { readInline, writeInline, type Style } from './inline.js';
import { tableOf, writeTable } from './table.js';

interface Piece {
  readonly node: ElementNode;
  readonly source: string;
  /** The white space after it. */
  readonly gap: string;
}

/** Markdown. Each block that is not edited, or is as it was again, has the source that it had. */
export function openMarkdown(markdown: string): OpenDocument {
  const isWindows = markdown.includes('\r\n');
  const text = markdown.replaceAll('\r\n', '\n');
  const { lead, pieces } = split(text);
  // Where a piece was in the source: by the node itself, or by what is in it.
  const places = new Map<ElementNode | string, number>();
  for (const [index, { node }] of pieces.entries()) {
    const contents = JSON.stringify(node);
    if (!places.has(contents)) places.set(contents, index);
    places.set(node, index);
  }
  const ending = (place: number | undefined): string => {
    const { gap = '' } = pieces.at(-1) ?? {};
    return place === pieces.length - 1 ? gap : gap.replaceAll(/[^\n]/g, '');
  };
  const write = (nodes: readonly ElementNode[]): string => {
    if (isEmpty(nodes)) return '';
    const written = nodes
      .filter((node) => !isEmpty([node]))
      .map((node) => {
        const place = places.get(node) ?? places.get(JSON.stringify(node));
        return { place, source: pieces[place ?? -1]?.source ?? writeBlock(node) };
      });
    const joined = written.map(({ place, source }, index) => {
      const next = written[index + 1];
      if (next === undefined) return source + ending(place);
      const isAsBefore = place !== undefined && next.place === place + 1;
      return source + (isAsBefore ? pieces[place]?.gap : '\n\n');
    });
    const all = lead + joined.join('');
    return isWindows ? all.replaceAll('\n', '\r\n') : all;
  };
  return { nodes: pieces.length === 0 ? [paragraph()] : pieces.map(({ node }) => node), write };
}

/** The blocks of a text, and what is around them: together they are the text. */
function split(text: string): { readonly lead: string; readonly pieces: readonly Piece[] } {
  let lead = '';
  const pieces: Piece[] = [];
  for (const token of new Lexer({ gfm: true }).lex(text)) {
    const source = token.type === 'space' ? '' : token.raw.replace(/\s+$/, '');
    const space = token.raw.slice(source.length);
    const last = pieces.at(-1);
    if (source !== '') pieces.push({ node: readBlock(token, source), source, gap: space });
    else if (last === undefined) lead += space;
    else pieces[pieces.length - 1] = { ...last, gap: last.gap + space };
  }
  const isWhole = lead + pieces.map(({ source, gap }) => source + gap).join('') === text;
  return isWhole ? { lead, pieces } : { lead: '', pieces: [{ node: sourceBlock(text), source: text, gap: '' }] };
}

/** What can only be edited as Markdown: HTML, lines, quotes with blocks in them. */
const sourceBlock = (text: string): ElementNode => ({ type: 'source', children: [{ type: 'text', text }] });

function readBlock(token: Token, source: string): ElementNode {
  return readers.get(token.type)?.(token) ?? sourceBlock(source);
}

type Reader = (token: any) => ElementNode | undefined; // oxlint-disable-line typescript/no-explicit-any

const readers = new Map<string, Reader>([
  ['heading', ({ depth, tokens }: Tokens.Heading) => ({ type: 'heading', level: depth, children: readInline(tokens) })],
  ['paragraph', readParagraph],
  [
    'code',
    ({ text, lang }: Tokens.Code) => ({
      type: 'code',
      ...(lang && { language: lang }),
      children: [{ type: 'text', text }],
    }),
  ],
  [
    'blockquote',
    ({ tokens }: Tokens.Blockquote) => {
      const [inner, ...others] = tokens;
      const quoted =
        inner?.type === 'paragraph' && others.length === 0 ? readParagraph(inner as Tokens.Paragraph) : undefined;
      return quoted?.type === 'paragraph' ? { ...quoted, type: 'quote' } : undefined;
    },
  ],
  ['list', (token: Tokens.List) => readList(token, 0)],
  ['table', readTable],
]);

function readParagraph({ tokens, raw }: Tokens.Paragraph): ElementNode {
  const [first, ...others] = tokens;
  if (first?.type === 'image' && others.length === 0 && first['title'] === null) {
    const image = { url: String(first['href']), alternativeText: String(first['text']) };
    return { type: 'image', image, children: [{ type: 'text', text: '' }] };
  }
  const isSoft = /\S(?: ?)\n\s*\S/.test(raw) && !tokens.some(({ type }) => type === 'br');
  return { type: 'paragraph', ...(isSoft && { soft: true as const }), children: readInline(tokens) };
}

/** Undefined for a table that would not be the same one when it is written again. */
function readTable(token: Tokens.Table): ElementNode | undefined {
  const table = tableOf(token);
  const [again] = new Lexer({ gfm: true }).lex(writeTable(table));
  const isSame = again?.type === 'table' && JSON.stringify(tableOf(again as Tokens.Table)) === JSON.stringify(table);
  return isSame ? tableBlock(table) : undefined;
}

/** Undefined for items with more than a line and a list. */
function readList({ ordered, start, items }: Tokens.List, depth: number): ElementNode | undefined {
  const children: ElementNode[] = [];
  for (const { tokens } of items) {
    const inner = tokens.filter(({ type }) => type !== 'space');
    const box = inner[0]?.type === 'checkbox' ? inner.shift() : undefined;
    const [line, below, ...others] = inner;
    if (others.length > 0 || (line !== undefined && !['text', 'paragraph'].includes(line.type))) return undefined;
    const parts = [...(box === undefined ? [] : [box]), ...((line as Tokens.Text | undefined)?.tokens ?? [])];
    children.push({ type: 'list-item', children: readInline(parts) });
    if (below === undefined) continue;
    const nested = below.type === 'list' ? readList(below as Tokens.List, depth + 1) : undefined;
    if (nested === undefined) return undefined;
    children.push(nested);
  }
  return {
    type: 'list',
    format: ordered ? 'ordered' : 'unordered',
    ...(depth > 0 && { indentLevel: depth }),
    ...(ordered && start !== 1 && start !== '' && { start }),
    children,
  };
}

const styles: readonly Omit<Style, 'lineBreak'>[] = [
  { italic: '_', escaped: false },
  { italic: '*', escaped: false },
  { italic: '_', escaped: true },
  { italic: '*', escaped: true },
];

/** The Markdown of a block: with as few escapes as it can be read back with. */
function writeBlock(node: ElementNode): string {
  const candidates = styles.map((style) => blockIn(node, { ...style, lineBreak: node.soft ? '\n' : '\\\n' }));
  const isRight = (candidate: string): boolean => {
    const { pieces } = split(candidate);
    const [first, ...others] = pieces;
    return first !== undefined && others.length === 0 && canonical(first.node) === canonical(node);
  };
  return candidates.find(isRight) ?? candidates.at(-1) ?? '';
}

function blockIn(node: ElementNode, style: Style): string {
  const { type, level = 1, children, image, table, language = '' } = node;
  const plain = (): string => children.map((child) => (isText(child) ? child.text : '')).join('');
  if (type === 'source') return plain();
  if (table !== undefined) return writeTable(table);
  if (type === 'list') return writeList(node, style).join('\n');
  if (type === 'code') {
    const fence = '`'.repeat(Math.max(3, ...[...plain().matchAll(/`+/g)].map(([run]) => run.length + 1)));
    return `${fence}${language}\n${plain()}\n${fence}`;
  }
  if (type === 'image') {
    const alternative = (image?.alternativeText ?? '').replaceAll(/[[\]\\\n]/g, String.raw`\$&`);
    const url = image?.url ?? '';
    return `![${alternative}](${/[\s()<>]/.test(url) ? `<${url}>` : url})`;
  }
  if (type === 'heading') return `${'#'.repeat(level)} ${writeInline(children, { ...style, lineBreak: ' ' }).trim()}`;
  const lines = startSafely(writeInline(children, style).trim(), style);
  return type === 'quote' ? lines.map((line) => `> ${line}`.trimEnd()).join('\n') : lines.join('\n');
}

/** Lines that begin with a sign of a list, a heading or a quote are text all the same. */
const startSafely = (text: string, { escaped }: Style): readonly string[] =>
  text.split('\n').map((line) => {
    const start = line.trimStart();
    if (!escaped) return start;
    return start.replace(/^(?:[+=-]|(?<number>\d+)(?=[.)]))/, (sign, number?: string) =>
      number === undefined ? `\\${sign}` : `${number}\\`,
    );
  });

function writeList({ children, format, start = 1 }: ElementNode, style: Style): readonly string[] {
  let number = start - 1;
  let width = 2;
  return children.flatMap((child) => {
    if (isText(child)) return [];
    if (child.type === 'list') return writeList(child, style).map((line) => ' '.repeat(width) + line);
    number += 1;
    const marker = format === 'ordered' ? `${number}. ` : '- ';
    width = marker.length;
    const [first = '', ...others] = startSafely(writeInline(child.children, style).trim(), style);
    return [(marker + first).trimEnd(), ...others.map((line) => ' '.repeat(width) + line)];
  });
}

/** What a block says, without the marks of white space, and without white space that Markdown does not keep. */
function canonical(node: ElementNode): unknown {
  const { type, level, format, language, image, table, start, children } = node;
  const attributes = [type, level, format, language, image?.url, image?.alternativeText ?? '', table, start];
  if (children.some((child) => !isText(child) && child.type !== 'link'))
    return JSON.stringify([attributes, children.map((child) => (isText(child) ? child.text : canonical(child)))]);
  if (type === 'code') return JSON.stringify([attributes, children]);
  const letters = lettersOf(children)
    .replaceAll(/\s*\n\s*/g, type === 'heading' ? ' ' : '\n')
    .replaceAll(/ +/g, ' ');
  return JSON.stringify([attributes, letters.trim()]);
}

const lettersOf = (nodes: ElementNode['children'], url = ''): string =>
  nodes
    .map((node) => {
      if (!isText(node)) return lettersOf(node.children, node.url);
      const { text, bold, italic, strikethrough, code, source } = node;
      const own = [bold, italic, strikethrough, code, source].map((mark) => (mark === true ? 1 : 0)).join('');
      return text.replaceAll(/\S/g, (letter) => `${letter}\0${own}${url}\0`);
    })
    .join('');
