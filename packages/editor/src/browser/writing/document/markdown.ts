import { Lexer, type Token, type Tokens } from 'marked';
import {
  imageNode,
  isEmpty,
  isText,
  lineBlock,
  paragraph,
  type ElementNode,
  type Image,
  type OpenDocument,
} from './document.js';
import { readInline, writeAddress, writeInline, type Style } from './inline.js';
import { readTable, writeTable } from './table.js';

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
  const places = new Map(pieces.map(({ node }, index) => [node, index]));
  const alike = new Map<string, number[]>();
  for (const [node, place] of places)
    alike.set(JSON.stringify(node), [...(alike.get(JSON.stringify(node)) ?? []), place]);
  const ending = (place: number | undefined): string => {
    const { gap = '' } = pieces.at(-1) ?? {};
    return place === pieces.length - 1 ? gap : gap.replaceAll(/[^\n]/g, '');
  };
  const write = (nodes: readonly ElementNode[]): string => {
    if (isEmpty(nodes)) return '';
    // Of those with the same contents each has its own source, in their order.
    const copies = new Map([...alike].map(([contents, found]) => [contents, [...found]]));
    const placeOf = (contents: string): number | undefined => {
      const found = copies.get(contents);
      return found !== undefined && found.length > 1 ? found.shift() : found?.[0];
    };
    const written = nodes
      .filter((node) => !isEmpty([node]))
      .map((node) => {
        const place = places.get(node) ?? placeOf(JSON.stringify(node));
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

/** What can only be edited as Markdown: HTML, quotes with blocks in them. */
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
  ['table', (token: Tokens.Table) => unchanged(readTable(token))],
  ['hr', lineBlock],
  ['html', ({ raw }: Tokens.HTML) => readImageTag(raw)],
]);

function readParagraph({ tokens, raw }: Tokens.Paragraph): ElementNode | undefined {
  const [first, ...others] = tokens;
  // Some programs of sites put an image with a width into a paragraph.
  if (first?.type === 'html' && others.length === 0) return readImageTag(raw);
  if (first?.type === 'image' && others.length === 0) {
    const { href, text, title } = first as Tokens.Image;
    return imageNode({ url: href, alternativeText: text, ...(title && { caption: title }) });
  }
  const isSoft = /\S(?: ?)\n\s*\S/.test(raw) && !tokens.some(({ type }) => type === 'br');
  return { type: 'paragraph', ...(isSoft && { soft: true as const }), children: readInline(tokens) };
}

/** An image with a width, which Markdown has only in HTML. Undefined for all other HTML. */
function readImageTag(html: string): ElementNode | undefined {
  const [, tag] = /^<img((?:\s+(?:src|alt|title|width)="[^"<>]*")+)\s*\/?>\s*$/.exec(html) ?? [];
  if (tag === undefined) return undefined;
  const found = [...tag.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, readEntities(value)]);
  const { src, alt = '', title, width } = Object.fromEntries(found) as Readonly<Record<string, string | undefined>>;
  if (src === undefined || !/^[1-9]\d*$/.test(width ?? '') || new Set(found.map(([name]) => name)).size < found.length)
    return undefined;
  return imageNode({ url: src, alternativeText: alt, ...(title && { caption: title }), width: Number(width) });
}

const entities = [['&', '&amp;'], ['"', '&quot;'], ['<', '&lt;'], ['>', '&gt;']] as const; // prettier-ignore
const readEntities = (text: string): string =>
  entities.toReversed().reduce((read, [sign, entity]) => read.replaceAll(entity, sign), text);
const writeEntities = (text: string): string =>
  entities.reduce((written, [sign, entity]) => written.replaceAll(sign, entity), text.replaceAll(/\s+/g, ' '));

function writeImage({ url, alternativeText, caption, width }: Image): string {
  if (width != null) {
    const attributes = [['src', url], ['alt', alternativeText ?? ''], ['title', caption ?? ''], ['width', String(width)]] as const; // prettier-ignore
    const written = attributes.filter(([name, value]) => name === 'alt' || value !== '');
    return `<img ${written.map(([name, value]) => `${name}="${writeEntities(value)}"`).join(' ')}>`;
  }
  return `![${(alternativeText ?? '').replaceAll(/[[\]\\\n]/g, String.raw`\$&`)}](${writeAddress(url, caption)})`;
}

/** Undefined for a block that would not be the same one when it is written again. */
const unchanged = (node: ElementNode): ElementNode | undefined => {
  const isKept = styles.some((style) => {
    const [token, ...others] = new Lexer({ gfm: true }).lex(blockIn(node, { ...style, lineBreak: '\\\n' }));
    return (
      token?.type === 'table' && others.length === 0 && canonical(readTable(token as Tokens.Table)) === canonical(node)
    );
  });
  return isKept ? node : undefined;
};

/** Undefined for items with more than a line and a list. */
function readList({ ordered, start, items }: Tokens.List, depth: number): ElementNode | undefined {
  const children: ElementNode[] = [];
  for (const { tokens, task, checked } of items) {
    const inner = tokens.filter(({ type }) => type !== 'space');
    if (inner[0]?.type === 'checkbox') inner.shift();
    const [line, below, ...others] = inner;
    if (others.length > 0 || (line !== undefined && !['text', 'paragraph'].includes(line.type))) return undefined;
    const parts = ((line as Tokens.Text | undefined)?.tokens ?? []).filter(({ type }) => type !== 'checkbox');
    children.push({ type: 'list-item', ...(task && { checked: checked === true }), children: readInline(parts) });
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

const styles: readonly Omit<Style, 'lineBreak' | 'signsOutside'>[] = [
  { italic: '_', escaped: false },
  { italic: '*', escaped: false },
  { italic: '_', escaped: true },
  { italic: '*', escaped: true },
];

/** The Markdown of a block: with as few escapes as it can be read back with. */
function writeBlock(node: ElementNode): string {
  const lineBreak = node.soft ? '\n' : '\\\n';
  const candidates = styles.map((style) => blockIn(node, { ...style, lineBreak }));
  const isRight = (candidate: string, wanted: string, compare: (node: ElementNode) => string): boolean => {
    const [first, ...others] = split(candidate).pieces;
    return first !== undefined && others.length === 0 && compare(first.node) === wanted;
  };
  const wanted = canonical(node);
  const right = candidates.find((candidate) => isRight(candidate, wanted, canonical));
  if (right !== undefined) return right;
  // Markdown cannot end a mark between a sign and a letter: the sign is put outside of it.
  const withSigns = styles.map((style) => blockIn(node, { ...style, lineBreak, signsOutside: true }));
  const words = wordsOf(node);
  return withSigns.find((candidate) => isRight(candidate, words, wordsOf)) ?? candidates.at(-1) ?? '';
}

const wordsOf = ({ children }: ElementNode): string =>
  children
    .map((child) => (isText(child) ? child.text : wordsOf(child)))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim();

function blockIn(node: ElementNode, style: Style): string {
  const { type, level = 1, children, image, language = '' } = node;
  const plain = (): string => children.map((child) => (isText(child) ? child.text : '')).join('');
  if (type === 'source') return plain();
  if (type === 'table') return writeTable(node, style);
  if (type === 'line') return '---';
  if (type === 'list') return writeList(node, style).join('\n');
  if (type === 'code') {
    const fence = '`'.repeat(Math.max(3, ...[...plain().matchAll(/`+/g)].map(([run]) => run.length + 1)));
    return `${fence}${language}\n${plain()}\n${fence}`;
  }
  if (image !== undefined) return writeImage(image);
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
    const box = child.checked === undefined || lettersOf(child.children) === '' ? '' : child.checked ? '[x] ' : '[ ] ';
    const [first = '', ...others] = startSafely(writeInline(child.children, style).trim(), style);
    return [(marker + box + first).trimEnd(), ...others.map((line) => ' '.repeat(width) + line)];
  });
}

/** What a block says, without the marks of white space, and without white space that Markdown does not keep. */
function canonical(node: ElementNode): string {
  const { type, level, format, language, image, align, start, children } = node;
  const { url, alternativeText = '', caption, width } = image ?? {};
  const checked = lettersOf(children) === '' ? undefined : node.checked;
  const attributes = [
    type,
    level,
    format,
    language,
    url,
    alternativeText,
    caption ?? '',
    width ?? 0,
    align,
    start,
    checked,
  ];
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
      if (!isText(node)) return lettersOf(node.children, `${node.url} ${node.title ?? ''}`);
      const { text, bold, italic, strikethrough, code, source } = node;
      const own = [bold, italic, strikethrough, code, source].map((mark) => (mark === true ? 1 : 0)).join('');
      return text.replaceAll(/\S/g, (letter) => `${letter}\0${own}${url}\0`);
    })
    .join('');
