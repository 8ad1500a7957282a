import { fromHtml } from 'hast-util-from-html';
import { defaultHandlers, toMdast, type Handle } from 'hast-util-to-mdast';
import type { Node, Nodes, Parents, PhrasingContent } from 'mdast';
import { isSafeLink } from '../document/addresses.js';
import {
  imageNode,
  isText,
  lineBlock,
  tableBlock,
  type ElementNode,
  type Mark,
  type TextNode,
} from '../document/document.js';
import { embedded, linkOf, noLosses, type Losses, type Pasted } from './pasted.js';
import { prepare } from './prepare.js';

type Inline = ElementNode | TextNode;
type Marks = { readonly [M in Mark]?: boolean };

interface Reading {
  /** The origin of the service: its own files are stored without it. */
  readonly origin: string;
  readonly losses: Losses;
}

/** Underlined text, which Markdown lacks and blocks have. */
const underline: Handle = (state, node) => ({ type: 'underline', children: state.all(node) }) as never;
const handlers = { ...defaultHandlers, u: underline, q: defaultHandlers.span };

/**
 * What a program wrote to the clipboard as HTML. Only what the editor can write is read; nothing of it runs, and
 * nothing is fetched.
 */
export function readHtml(html: string, origin: string): Pasted {
  const losses = noLosses();
  const tree = toMdast(prepare(fromHtml(html)), { document: true, handlers });
  const reading = { origin, losses };
  const nodes = 'children' in tree ? tree.children.flatMap((node) => readBlock(node, reading)) : [];
  return { nodes: joinLists(nodes.filter(isFilled)), losses };
}

/** Some programs write a list for each item. */
function joinLists(nodes: readonly ElementNode[]): readonly ElementNode[] {
  const joined: ElementNode[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (node.type === 'list' && last?.type === 'list' && last.format === node.format)
      joined[joined.length - 1] = { ...last, children: [...last.children, ...node.children] };
    else joined.push(node);
  }
  return joined;
}

const isFilled = (node: ElementNode): boolean =>
  !['paragraph', 'heading', 'quote'].includes(node.type) ||
  node.children.some((child) => !isText(child) || child.text.trim() !== '');

function readBlock(node: Nodes, reading: Reading): readonly ElementNode[] {
  if (node.type === 'paragraph') return paragraphs(node, 'paragraph', reading);
  if (node.type === 'blockquote') return quotes(node.children, reading);
  if (node.type === 'list') return [readList(node, reading)].filter(({ children }) => children.length > 0);
  if (node.type === 'thematicBreak') return [lineBlock()];
  if (node.type === 'heading') {
    return paragraphs(node, 'heading', reading, { level: node.depth }).map((block) =>
      block.type === 'heading' ? { ...block, children: withoutOwnMark(block.children.map(inOneLine)) } : block,
    );
  }
  if (node.type === 'code') {
    const language = node.lang?.replaceAll(/[\s`]/g, '') ?? '';
    const children = [{ type: 'text' as const, text: node.value }];
    return [{ type: 'code', ...(language !== '' && { language }), children }];
  }
  if (node.type === 'table') {
    const rows = node.children.map((row) => row.children.map((cell) => lineOf(cell, reading)));
    // Every table has a head in Markdown; sheets have none of their own, and their first row is it.
    const isHeadless = rows.length > 1 && rows[0]?.every((cell) => textIn(cell).trim() === '') === true;
    const table = tableBlock(
      isHeadless ? rows.slice(1) : rows,
      node.align?.map((side) => side ?? null),
    );
    return table.children.length === 0 ? [] : [table];
  }
  return 'children' in node && isFlow(node)
    ? node.children.flatMap((child) => readBlock(child as Nodes, reading))
    : paragraphs({ type: 'paragraph', children: [node as PhrasingContent] }, 'paragraph', reading);
}

const isFlow = ({ children }: Parents): boolean =>
  children.some(({ type }) =>
    ['paragraph', 'heading', 'list', 'table', 'code', 'blockquote', 'thematicBreak'].includes(type),
  );

/** Headings look bold by themselves. */
const withoutOwnMark = (nodes: Inline[]): Inline[] =>
  nodes.every((node) =>
    isText(node)
      ? node.bold === true || node.text.trim() === ''
      : node.children.every((text) => isText(text) && text.bold),
  )
    ? nodes.map((node) => without(node, 'bold'))
    : nodes;

const without = (node: Inline, mark: Mark): Inline => {
  if (!isText(node)) return { ...node, children: node.children.map((child) => without(child, mark)) };
  const { [mark]: _, ...text } = node;
  return text;
};

const textIn = (nodes: readonly Inline[]): string =>
  nodes.map((node) => (isText(node) ? node.text : textIn(node.children))).join('');

const inOneLine = (node: Inline): Inline =>
  isText(node)
    ? { ...node, text: node.text.replaceAll(/\s*\n\s*/g, ' ') }
    : { ...node, children: node.children.map(inOneLine) as TextNode[] };

/** A paragraph, which ends at an image, and at an empty line in it. */
function paragraphs(node: Parents, type: string, reading: Reading, own: object = {}): readonly ElementNode[] {
  const blocks: ElementNode[] = [];
  let line: Inline[] = [];
  const flush = (): void => {
    const children = trimmed(line);
    if (children.length > 0) blocks.push({ type, ...own, children });
    line = [];
  };
  for (const piece of inlineIn(node, {}, reading)) {
    if (!isText(piece) && piece.type === 'image') {
      flush();
      blocks.push(piece);
    } else if (isText(piece) && piece.text === '\n' && isBreak(line.at(-1))) {
      line.pop();
      flush();
    } else line.push(piece);
  }
  flush();
  return blocks;
}

const isBreak = (node: Inline | undefined): boolean => node !== undefined && isText(node) && node.text === '\n';

/** Without white space and line breaks at the ends, which mean nothing there. */
function trimmed(line: readonly Inline[]): Inline[] {
  const isBlank = (node: Inline | undefined): boolean => node !== undefined && isText(node) && node.text.trim() === '';
  let [start, end] = [0, line.length];
  while (start < end && isBlank(line[start])) start += 1;
  while (end > start && isBlank(line[end - 1])) end -= 1;
  return line.slice(start, end).map((node, index, all) => {
    if (!isText(node)) return node;
    const text = index === 0 ? node.text.trimStart() : node.text;
    return { ...node, text: index === all.length - 1 ? text.trimEnd() : text };
  });
}

/** Quoted paragraphs are one quote with lines; what else is quoted stands by itself. */
function quotes(children: readonly Nodes[], reading: Reading): readonly ElementNode[] {
  const blocks: ElementNode[] = [];
  for (const block of children.flatMap((child) => readBlock(child, reading))) {
    const last = blocks.at(-1);
    if (block.type !== 'paragraph' && block.type !== 'quote') blocks.push(block);
    else if (!isFilled(block)) continue;
    else if (last?.type === 'quote')
      blocks[blocks.length - 1] = {
        ...last,
        children: [...last.children, { type: 'text', text: '\n' }, ...block.children],
      };
    else blocks.push({ ...block, type: 'quote' });
  }
  return blocks;
}

function readList(list: Nodes & { type: 'list' }, reading: Reading, depth = 0): ElementNode {
  const children = list.children.flatMap((item): ElementNode[] => {
    const lists = item.children.filter((child) => child.type === 'list');
    const line = lineOf({ ...item, children: item.children.filter((child) => child.type !== 'list') }, reading);
    const inner = lists
      .map((nested) => readList(nested, reading, depth + 1))
      .filter((nested) => nested.children.length > 0);
    const isOnlyList = textIn(line).trim() === '' && inner.length > 0;
    const own: ElementNode = {
      type: 'list-item',
      ...(typeof item.checked === 'boolean' && { checked: item.checked }),
      children: line,
    };
    // An item without a text of its own is one level that means nothing.
    return isOnlyList && depth === 0 && list.children.length === 1
      ? inner.flatMap((nested) => nested.children as ElementNode[])
      : [...(isOnlyList ? [] : [own]), ...inner];
  });
  return {
    type: 'list',
    format: list.ordered === true ? 'ordered' : 'unordered',
    ...(depth > 0 && { indentLevel: depth }),
    ...(list.ordered === true &&
      depth === 0 &&
      typeof list.start === 'number' &&
      list.start !== 1 && { start: list.start }),
    children,
  };
}

/** Everything in an item or a cell, in its lines. */
function lineOf(node: Parents, reading: Reading): Inline[] {
  const lines: Inline[][] = [[]];
  for (const child of node.children as readonly Nodes[]) {
    const blocks = isPhrasing(child) ? undefined : readBlock(child, reading);
    if (blocks === undefined) lines.at(-1)?.push(...inlineOf(child, {}, reading));
    else lines.push(...blocks.flatMap(linesOf), []);
  }
  const filled = lines
    .map((line) => trimmed(line.map((piece) => (!isText(piece) && piece.type === 'image' ? linkOf(piece) : piece))))
    .filter((line) => line.length > 0);
  const joined = filled.flatMap((line, index): Inline[] =>
    index === 0 ? line : [{ type: 'text', text: '\n' }, ...line],
  );
  return joined.length === 0 ? [{ type: 'text', text: '' }] : joined;
}

const linesOf = (block: ElementNode): Inline[][] => {
  if (block.type === 'list')
    return (block.children as ElementNode[]).flatMap((item) =>
      item.type === 'list' ? linesOf(item) : [[{ type: 'text', text: '• ' }, ...item.children]],
    );
  if (block.type === 'table')
    return (block.children as ElementNode[]).map((row) =>
      row.children.flatMap((cell) => ('children' in cell ? cell.children : [])),
    );
  if (block.type === 'image') return [[block]];
  return block.type === 'line' ? [] : [block.children];
};

const isPhrasing = ({ type }: Node): boolean =>
  ['text', 'emphasis', 'strong', 'delete', 'inlineCode', 'break', 'link', 'image', 'underline', 'html'].includes(type);

const inlineIn = (node: Parents, marks: Marks, reading: Reading): readonly Inline[] =>
  (node.children as readonly Nodes[]).flatMap((child) => inlineOf(child, marks, reading));

const marksOf: Readonly<Record<string, Mark>> = { strong: 'bold', emphasis: 'italic', delete: 'strikethrough', underline: 'underline' }; // prettier-ignore

function inlineOf(node: Nodes, marks: Marks, reading: Reading): readonly Inline[] {
  const mark = marksOf[node.type];
  if (mark !== undefined && 'children' in node) return inlineIn(node, { ...marks, [mark]: true }, reading);
  if (node.type === 'text') return [{ type: 'text', text: node.value, ...marks }];
  if (node.type === 'break') return [{ type: 'text', text: '\n' }];
  if (node.type === 'inlineCode') return [{ type: 'text', text: node.value, ...marks, code: true }];
  if (node.type === 'link') return readLink(node, marks, reading);
  if (node.type === 'image') return readImage(node.url, node.alt ?? '', node.title ?? '', reading);
  return 'children' in node ? inlineIn(node, marks, reading) : [];
}

function readLink(node: Nodes & { type: 'link' }, marks: Marks, { losses, ...reading }: Reading): readonly Inline[] {
  const children = inlineIn(node, marks, { losses, ...reading });
  const url = addressOf(node.url, reading.origin);
  // Within another text: where it led is not here.
  if (url.startsWith('#') || url === '') return children;
  if (!isSafeLink(url)) {
    losses.addresses.add(url.slice(0, 60));
    return children;
  }
  // Links are underlined by themselves.
  const texts = children.filter(isText).map((text) => without(text, 'underline') as TextNode);
  const images = children.filter((child) => !isText(child));
  const title = node.title ? { title: node.title } : {};
  return [...(textIn(texts).trim() === '' ? texts : [{ type: 'link', url, ...title, children: texts }]), ...images];
}

/** Without the origin of the service; other servers keep theirs. */
const addressOf = (address: string, origin: string): string => {
  const url = address.trim();
  if (url.startsWith(`${origin}/`)) return url.slice(origin.length);
  return url.startsWith('//') ? `https:${url}` : url.replaceAll(' ', '%20');
};

function readImage(
  source: string,
  alternativeText: string,
  caption: string,
  { origin, losses }: Reading,
): readonly Inline[] {
  const url = addressOf(source, origin);
  const isStored = embedded.test(url);
  if (!isStored && !/^(?:https?:\/)?\/(?!\/)\S*$|^https?:\/\/\S+$/i.test(url)) {
    const name = url.startsWith('data:') ? '' : decoded(url.replace(/[?#].*$/, '').replace(/^.*[\\/:]/, ''));
    losses.localImages.add(name || alternativeText || url.slice(0, 30));
    return [];
  }
  const host = /^https?:\/\/([^/?#]+)/i.exec(url)?.[1];
  if (host !== undefined) losses.imageHosts.add(host);
  return [imageNode({ url, alternativeText, ...(caption !== '' && { caption }) })];
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
