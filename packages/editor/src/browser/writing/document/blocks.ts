import { isEmpty, isText, paragraph, type ElementNode, type OpenDocument, type TextNode } from './document.js';

/**
 * Strapi's blocks. A block of an unknown kind is kept as it is.
 * @returns undefined if the JSON is not a list
 */
export function openBlocks(json: string): OpenDocument | undefined {
  const value = parse(json);
  if (!Array.isArray(value)) return undefined;
  const nodes = value.map((block: unknown) => (isBlock(block) ? block : keep(block)));
  return {
    nodes: nodes.length === 0 ? [paragraph()] : nodes,
    write: (written) => (isEmpty(written) ? '' : JSON.stringify(written.map(finish), undefined, 2)),
  };
}

function parse(json: string): unknown {
  try {
    return json === '' ? [] : JSON.parse(json);
  } catch {
    return undefined;
  }
}

const keep = (kept: unknown): ElementNode => ({ type: 'kept', kept, children: [{ text: '' }] });

type Check = (node: unknown) => boolean;
type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (node: unknown): Fields => (typeof node === 'object' && node !== null ? (node as Fields) : {});
const allChildren = (node: unknown, check: Check): boolean => {
  const { children } = fieldsOf(node);
  return Array.isArray(children) && children.length > 0 && children.every(check);
};
const isPlain: Check = (node) => {
  const { type = 'text', text } = fieldsOf(node);
  return type === 'text' && typeof text === 'string';
};
const isInline: Check = (node) => {
  const { type, url } = fieldsOf(node);
  return isPlain(node) || (type === 'link' && typeof url === 'string' && allChildren(node, isPlain));
};
const isInList: Check = (node) => {
  const { type } = fieldsOf(node);
  return type === 'list-item' ? allChildren(node, isInline) : type === 'list' && allChildren(node, isInList);
};

/** By type, what is in a block. */
const contents = new Map<unknown, Check>([
  ['paragraph', (node) => allChildren(node, isInline)],
  ['heading', (node) => allChildren(node, isInline)],
  ['quote', (node) => allChildren(node, isInline)],
  ['code', (node) => allChildren(node, isPlain)],
  ['list', (node) => allChildren(node, isInList)],
  ['image', (node) => typeof fieldsOf(fieldsOf(node)['image'])['url'] === 'string' && allChildren(node, isPlain)],
]);

const isBlock = (node: unknown): node is ElementNode => contents.get(fieldsOf(node)['type'])?.(node) === true;

/** Texts that were typed lack their type. */
function finish(node: ElementNode | TextNode): unknown {
  if (isText(node)) return { type: 'text', ...node };
  if (node.type === 'kept') return node.kept;
  return { ...node, children: node.children.map(finish) };
}
