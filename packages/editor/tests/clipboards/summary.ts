import { isText, type ElementNode, type TextNode } from '../../src/browser/writing/document/document.js';

const signs = [['code', '`', '`'], ['bold', '**', '**'], ['italic', '_', '_'], ['strikethrough', '~~', '~~'], ['underline', '<u>', '</u>']] as const; // prettier-ignore
const lineOf = (nodes: readonly (ElementNode | TextNode)[]): string =>
  nodes
    .map((node) =>
      isText(node)
        ? signs.reduce((text, [mark, before, after]) => (node[mark] ? before + text + after : text), node.text)
        : node.type === 'list'
          ? `(${lineOf(node.children)})`
          : node.type === 'list-item'
            ? lineOf(node.children)
            : `[${lineOf(node.children)}](${node.url})`,
    )
    .join(nodes.some((node) => !isText(node) && node.type === 'list-item') ? ' / ' : '');
/** A block in a line: its kind, and its text with marks. */
export const summaryOf = ({ type, level, format, language, image, children }: ElementNode): string =>
  `${[type, level, format, language].filter((part) => part !== undefined).join(' ')}: ${image?.url ?? lineOf(children)}`;
