import type { Element, ElementContent, RootContent } from 'hast';
import { classesOf, styleOf, type Declarations } from './styles.js';

type Content = ElementContent | RootContent;
type Classes = ReadonlyMap<string, Declarations>;

interface Line {
  readonly level: number;
  readonly isOrdered: boolean;
  readonly start: number;
  readonly children: ElementContent[];
}

/** Word writes lists as paragraphs that say how deep they are, and in the browser as one list for each item. */
export function joinWordLists(nodes: readonly Content[], classes: Classes): readonly Content[] {
  const joined: Content[] = [];
  let lines: Line[] = [];
  const flush = (): void => {
    if (lines.length > 0) joined.push(...listsOf(lines));
    lines = [];
  };
  for (const node of nodes) {
    const found = node.type === 'element' ? linesIn(node, classes) : undefined;
    if (found !== undefined) lines.push(...found);
    // Between items is white space, and what only Word reads.
    else if (lines.length > 0 && (node.type === 'comment' || (node.type === 'text' && node.value.trim() === '')))
      continue;
    else {
      flush();
      joined.push(node);
    }
  }
  flush();
  return joined;
}

/** The items that a paragraph of Word, or a list of Word in the browser, stands for. */
function linesIn(node: Element, classes: Classes): readonly Line[] | undefined {
  const [, level] = /\blevel(\d)\b/.exec((node.tagName === 'p' && styleOf(node, classes).get('mso-list')) || '') ?? [];
  if (level !== undefined) {
    const marker = markerIn(node, classes).trim();
    const isOrdered = /^\(?(?:\d+|[a-z]{1,4})[.)]/i.test(marker);
    return [{ level: Number(level), isOrdered, start: Number(/\d+/.exec(marker)?.[0] ?? 1), children: node.children }];
  }
  if (node.tagName === 'div' && classesOf(node).some((name) => /^listcontainerwrapper$/i.test(name))) {
    const lists = node.children.filter((child): child is Element => child.type === 'element');
    const lines = lists.map((list) => linesIn(list, classes));
    return lines.includes(undefined) ? undefined : lines.flatMap((found) => found ?? []);
  }
  if (!/^[ou]l$/.test(node.tagName)) return undefined;
  const items = node.children.filter((child): child is Element => child.type === 'element');
  if (items.length === 0 || !items.every(({ properties }) => 'dataAriaLevel' in properties)) return undefined;
  return items.map(({ properties, children }) => ({
    level: Number(properties['dataAriaLevel']) || 1,
    isOrdered: node.tagName === 'ol',
    start: Number(node.properties['start'] ?? 1) || 1,
    children,
  }));
}

const markerIn = (node: Element, classes: Classes): string =>
  node.children
    .map((child) => {
      if (child.type !== 'element') return '';
      return styleOf(child, classes).get('mso-list') === 'ignore' ? textIn(child) : markerIn(child, classes);
    })
    .join('');

const textIn = (node: ElementContent): string =>
  node.type === 'text' ? node.value : 'children' in node ? node.children.map(textIn).join('') : '';

/** Lists in lists, by the depth of their items; another kind of list on the same level is another list. */
function listsOf(lines: readonly Line[]): readonly Element[] {
  const lists: Element[] = [];
  const base = Math.min(...lines.map(({ level }) => level));
  let index = 0;
  while (index < lines.length) {
    const line = lines[index];
    if (line === undefined) break;
    const end = lines.findIndex(({ level }, at) => at > index && level <= base);
    const below = lines.slice(index + 1, end === -1 ? lines.length : end);
    const tagName = line.isOrdered ? 'ol' : 'ul';
    const isDeep = line.level > base;
    const children = isDeep
      ? [...listsOf([line, ...below])]
      : [...line.children, ...(below.length > 0 ? listsOf(below) : [])];
    const item: Element = { type: 'element', tagName: 'li', properties: {}, children };
    const last = lists.at(-1);
    if (last?.tagName === tagName) last.children.push(item);
    else
      lists.push({
        type: 'element',
        tagName,
        properties: line.isOrdered && line.start !== 1 ? { start: line.start } : {},
        children: [item],
      });
    index += 1 + below.length;
  }
  return lists;
}
