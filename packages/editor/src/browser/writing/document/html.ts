import { isText, type ElementNode, type Mark, type TextNode } from './document.js';

type Marks = { readonly [M in Mark]?: boolean };
type Inline = ElementNode | TextNode;

const ofTags = new Map<string, Mark>([
  ...(['B', 'STRONG'] as const).map((tag) => [tag, 'bold'] as const),
  ...(['I', 'EM'] as const).map((tag) => [tag, 'italic'] as const),
  ...(['S', 'DEL', 'STRIKE'] as const).map((tag) => [tag, 'strikethrough'] as const),
  ['U', 'underline'],
  ['CODE', 'code'],
]);
const blockTags = new Map<string, Omit<ElementNode, 'children'>>([
  ...[1, 2, 3, 4, 5, 6].map((level) => [`H${level}`, { type: 'heading', level }] as const),
  ['P', { type: 'paragraph' }],
  ['BLOCKQUOTE', { type: 'quote' }],
  ['PRE', { type: 'code' }],
]);
const containers = /^(?:DIV|SECTION|ARTICLE|MAIN|BODY|TABLE|TBODY|THEAD|TR|TD|TH|FIGURE|HEADER|FOOTER)$/;
const ignored = /^(?:STYLE|SCRIPT|META|TITLE|HEAD|TEMPLATE)$/;

/** What is pasted from other programs, as far as it can be written here. */
export function readHtml(html: string, allowed: readonly Mark[]): ElementNode[] {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return blocksIn(body, allowed).filter(({ children }) =>
    children.some((node) => !isText(node) || node.text.trim() !== ''),
  );
}

function blocksIn(parent: Element, allowed: readonly Mark[]): ElementNode[] {
  const blocks: ElementNode[] = [];
  let run: Inline[] = [];
  const flush = (): void => {
    if (run.length > 0) blocks.push({ type: 'paragraph', children: run });
    run = [];
  };
  for (const node of parent.childNodes) {
    const kind = blockTags.get(node.nodeName);
    const isBlock = kind !== undefined || /^[OU]L$/.test(node.nodeName) || containers.test(node.nodeName);
    if (!isBlock || !(node instanceof Element)) {
      // Programs put the whole text into a mark.
      const isAround = node instanceof Element && node.querySelector('p, div, h1, h2, h3, ul, ol') !== null;
      if (isAround) flush();
      if (isAround) blocks.push(...blocksIn(node, allowed));
      else run.push(...inlineIn(node, {}, allowed));
      continue;
    }
    flush();
    if (kind?.type === 'code') blocks.push({ type: 'code', children: [{ type: 'text', text: node.textContent }] });
    else if (kind !== undefined) blocks.push({ ...kind, children: childrenOf(node, allowed) });
    else if (containers.test(node.nodeName)) blocks.push(...blocksIn(node, allowed));
    else blocks.push(...listIn(node, allowed));
  }
  flush();
  return blocks;
}

function listIn(list: Element, allowed: readonly Mark[]): ElementNode[] {
  const children = [...list.children].flatMap((item): ElementNode[] => {
    if (/^[OU]L$/.test(item.nodeName)) return listIn(item, allowed);
    const nested = [...item.children].filter(({ nodeName }) => /^[OU]L$/.test(nodeName));
    for (const inner of nested) inner.remove();
    const line = { type: 'list-item', children: childrenOf(item, allowed) };
    return [line, ...nested.flatMap((inner) => listIn(inner, allowed))];
  });
  const format = list.nodeName === 'OL' ? 'ordered' : 'unordered';
  return children.length === 0 ? [] : [{ type: 'list', format, children }];
}

function childrenOf(element: Element, allowed: readonly Mark[]): Inline[] {
  const children = [...element.childNodes].flatMap((node) => inlineIn(node, {}, allowed));
  return children.length === 0 ? [{ type: 'text', text: '' }] : children;
}

function inlineIn(node: Node, around: Marks, allowed: readonly Mark[]): Inline[] {
  if (node.nodeName === 'BR') return [{ type: 'text', text: '\n', ...around }];
  if (ignored.test(node.nodeName)) return [];
  if (!(node instanceof HTMLElement)) {
    const text = (node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : '').replaceAll(/\s+/g, ' ');
    return text === '' ? [] : [{ type: 'text', text, ...around }];
  }
  const { fontWeight, fontStyle } = node.style;
  const isPlain = fontWeight === 'normal' || fontWeight === '400';
  const own = [
    ...(isPlain ? [] : [ofTags.get(node.nodeName)]),
    ...(fontWeight === 'bold' || Number(fontWeight) >= 600 ? ['bold' as const] : []),
    ...(fontStyle === 'italic' ? ['italic' as const] : []),
  ].filter((mark) => mark !== undefined && allowed.includes(mark));
  const marks = { ...around, ...Object.fromEntries(own.map((mark) => [mark, true])) };
  const children = [...node.childNodes].flatMap((child) => inlineIn(child, marks, allowed));
  const url = node instanceof HTMLAnchorElement ? node.getAttribute('href') : null;
  if (url === null || !/^(?:https?:|mailto:|tel:|\/)/.test(url)) return children;
  const texts = children.filter(isText);
  return texts.length === 0 ? [] : [{ type: 'link', url, children: texts }];
}
