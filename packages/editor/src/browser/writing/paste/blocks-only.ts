import { isText, paragraph, type ElementNode, type TextNode } from '../document/document.js';
import { linkOf, type Pasted } from './pasted.js';

type Inline = ElementNode | TextNode;

/** As Strapi's blocks can have it: they have no tables, tasks and lines, and only images of the library. */
export function inBlocks({ nodes, losses }: Pasted): Pasted {
  return { losses, nodes: nodes.flatMap((node) => blockOf(node, losses)) };
}

function blockOf(node: ElementNode, losses: Pasted['losses']): readonly ElementNode[] {
  if (node.type === 'line') return [];
  if (node.type === 'source')
    return node.children.flatMap((child) => (isText(child) ? child.text.split('\n').map(paragraph) : []));
  if (node.type === 'table') {
    losses.kinds.add('table');
    return (node.children as ElementNode[]).map((row) => ({ type: 'paragraph', children: rowOf(row) }));
  }
  // One in the clipboard is stored before it is inserted.
  if (node.image !== undefined && !node.image.url.startsWith('data:'))
    return [{ type: 'paragraph', children: [linkOf(node)] }];
  const { soft: _, start: __, ...block } = node;
  return [{ ...block, children: node.children.map(childOf) }];
}

function childOf(node: Inline): Inline {
  if (isText(node)) {
    const { source: _, ...text } = node;
    return text;
  }
  const { checked, title: _, ...element } = node;
  const box: Inline[] = checked === undefined ? [] : [{ type: 'text', text: checked ? '☑ ' : '☐ ' }];
  return { ...element, children: [...box, ...node.children.map(childOf)] };
}

const rowOf = (row: ElementNode): Inline[] =>
  row.children.flatMap((cell, index): Inline[] => {
    const line = 'children' in cell ? cell.children.map(inOneLine) : [];
    return index === 0 ? line : [{ type: 'text', text: ' | ' }, ...line];
  });

const inOneLine = (node: Inline): Inline =>
  isText(node) ? childOf({ ...node, text: node.text.replaceAll('\n', ' ') }) : childOf(node);
