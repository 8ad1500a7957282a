import { isSafeLink } from '../document/addresses.js';
import { isText, type ElementNode, type TextNode } from '../document/document.js';
import { openMarkdown } from '../document/markdown.js';
import { noLosses, type Losses, type Pasted } from './pasted.js';

type Inline = ElementNode | TextNode;

/**
 * A plain text that is Markdown: it has blocks, links or bold text in it. Single stars and underscores are in other
 * texts too.
 * @returns undefined for other texts
 */
export function readMarkdown(text: string): Pasted | undefined {
  const losses = noLosses();
  const { nodes } = openMarkdown(text.trim());
  // Code by indentation is a text with indented lines as a rule.
  if (!/^ {0,3}(?:```|~~~)/m.test(text) && !nodes.some(isMarked)) return undefined;
  return { nodes: nodes.flatMap((node) => read(node, losses)), losses };
}

const isMarked = (node: Inline): boolean =>
  isText(node)
    ? node.bold === true || node.strikethrough === true || (node.code === true && node.text.trim() !== '')
    : node.type === 'link'
      ? // An address alone is a link without being Markdown.
        !node.children.some((child) => isText(child) && child.text === node.url)
      : ['heading', 'list', 'quote', 'table', 'image', 'line'].includes(node.type) ||
        (node.type !== 'code' && node.children.some(isMarked));

/**
 * Only what the editor shows as it will look, and HTML as the text that it is: whoever wants it writes it in the
 * source.
 */
function read(node: ElementNode, losses: Losses): readonly ElementNode[] {
  if (node.type === 'source') {
    const text = node.children.map((child) => (isText(child) ? child.text : '')).join('');
    // The links that it is for have their address by now.
    if (/^\[(?!\^)[^\]]+\]:/.test(text)) return [];
    return /<[a-z!/?]/i.test(text)
      ? text.split(/\n{2,}/).map((part) => ({ type: 'paragraph', children: [{ type: 'text', text: part }] }))
      : [node];
  }
  if (node.image !== undefined && !/^(?:https?:\/\/|\/(?!\/))/i.test(node.image.url)) {
    losses.localImages.add(node.image.url.replace(/^.*[\\/]/, '').slice(0, 60));
    return [];
  }
  return [{ ...node, children: node.children.flatMap((child) => readChild(child, losses)) }];
}

function readChild(node: Inline, losses: Losses): readonly Inline[] {
  if (isText(node)) {
    const { source, ...text } = node;
    return [source === true && /<|\]\(/.test(node.text) ? text : node];
  }
  if (node.type === 'link' && !isSafeLink(node.url ?? '')) {
    losses.addresses.add((node.url ?? '').slice(0, 60));
    return node.children;
  }
  return [{ ...node, children: node.children.flatMap((child) => readChild(child, losses)) }];
}
