import type { Element, ElementContent, Root, RootContent } from 'hast';
import { classesOf, readClasses, styleOf, type Declarations } from './styles.js';
import { joinWordLists } from './word-lists.js';

type Content = Exclude<ElementContent | RootContent, { type: 'raw' }>;
type Mark = 'strong' | 'em' | 'del' | 'u';

const dropped = new Set(
  'audio base button canvas datalist embed frame frameset head iframe link math meta noscript object script select style svg template textarea title video xml'.split(' '), // prettier-ignore
);
/** Those of the sites that editors copy from most: what is there to be pressed, or for screen readers. */
const droppedClasses = /^(?:mw-editsection|mw-empty-elt|sr-only|visually-hidden|screen-reader-text|noprint|navbox)$/;
const ofTags: Readonly<Record<string, Mark>> = { b: 'strong', strong: 'strong', i: 'em', em: 'em', s: 'del', strike: 'del', del: 'del', u: 'u' }; // prettier-ignore
const headings = /^h[1-6]$/;
const monospace = /mono|consol|menlo|courier/;

interface Around {
  readonly marks: readonly Mark[];
  /** Of the code in it. */
  readonly language?: string | undefined;
  readonly isCode?: boolean;
}

const element = (tagName: string, children: ElementContent[], properties: Element['properties'] = {}): Element => ({
  type: 'element',
  tagName,
  properties,
  children,
});
const childrenOf = (node: Content): readonly ElementContent[] => (node.type === 'element' ? node.children : []);
const textOf = (node: Content): string => (node.type === 'text' ? node.value : childrenOf(node).map(textOf).join(''));
const isElement = (node: Content, ...names: readonly string[]): node is Element =>
  node.type === 'element' && names.includes(node.tagName);

/**
 * Brings what programs write to the clipboard to plain HTML: marks that are only styles, lists that are only
 * paragraphs, boxes that are only looks. What is for the program that wrote it, or for a page that runs, is left out.
 */
export function prepare(root: Root): Root {
  const sheets: string[] = [];
  const find = (node: Content): void => {
    if (isElement(node, 'style')) sheets.push(textOf(node));
    else childrenOf(node).forEach(find);
  };
  for (const node of root.children) find(node);
  const classes = readClasses(sheets.join('\n'));
  return { type: 'root', children: cleanAll(root.children, { marks: [] }, classes) };
}

type Classes = ReadonlyMap<string, Declarations>;

const cleanAll = (nodes: readonly Content[], around: Around, classes: Classes): ElementContent[] =>
  joinWordLists(nodes, classes).flatMap((node) => clean(node, around, classes));

function clean(node: Content, around: Around, classes: Classes): ElementContent[] {
  if (node.type === 'text') return cleanText(node.value, around);
  if (node.type !== 'element') return [];
  const { tagName, properties } = node;
  const style = styleOf(node, classes);
  const own = classesOf(node);
  if (dropped.has(tagName) || /^(?:v|xml):/.test(tagName) || isHidden(node, style, own)) return [];
  if (own.some((name) => /^Apple-converted-space$/.test(name))) return cleanText(' ', around);
  if (own.some((name) => /^Apple-interchange-newline$/.test(name))) return [];
  if (own.some((name) => name === 'checkbox' || name.startsWith('checkbox-')) && tagName === 'div')
    return [checkbox(own.includes('checkbox-on'))];
  if (tagName === 'input') return properties['type'] === 'checkbox' ? [checkbox(properties['checked'] === true)] : [];
  if (tagName === 'img') return cleanImage(node);
  if (isEditor(node, style)) return codeOfEditor(node, around, classes);
  if (tagName === 'pre') return [codeOf(node, own, around)];

  const marks = headings.test(tagName) ? [] : marksOf(node, style, around.marks);
  const language =
    own.map((name) => /^highlight-(?:source|text)-(.+)$/.exec(name)?.[1]).find(Boolean) ?? around.language;
  const isCode = around.isCode === true || ['code', 'kbd', 'samp', 'tt', 'var'].includes(tagName);
  const inner: Around = { marks, language, isCode };
  const children = cleanAll(node.children, inner, classes);
  if (tagName in ofTags || ['mark', 'html', 'body', 'font', 'ins'].includes(tagName) || tagName.includes(':'))
    return children;
  if (own.some((name) => /^mso-?title$/i.test(name))) return [element('h1', children)];
  if (own.some((name) => /^Mso(?:Intense)?Quote/.test(name))) return [element('blockquote', [element('p', children)])];
  if (tagName === 'a') return cleanLink(node, children);
  if (/^[ou]l$/.test(tagName)) return [{ ...node, children: withListsInItems(children) }];
  if (tagName === 'li') return [cleanItem(node, children)];
  if (tagName === 'table') return cleanTable({ ...node, children });
  if (['td', 'th'].includes(tagName)) return [{ ...node, tagName: 'td', children }];
  return [{ ...node, children }];
}

/** The text with the marks that it has in the end: whatever is around it may say otherwise. */
function cleanText(value: string, { marks, isCode }: Around): ElementContent[] {
  // Browsers write every second space of several, and one at the end of a text, as one that does not break; French has
  // it before signs.
  const text = value
    .replaceAll(/ \u00A0|\u00A0 /g, ' ')
    .replaceAll(/^\u00A0(?![»:;!?%€])|(?<![«\d])\u00A0$/g, ' ')
    .replaceAll(/[\u200B\uFEFF]/g, '');
  const wrapped = isCode === true ? marks.filter((mark) => mark !== 'u') : marks;
  return [wrapped.reduce<ElementContent>((inner, mark) => element(mark, [inner]), { type: 'text', value: text })];
}

const isHidden = ({ properties }: Element, style: Declarations, own: readonly string[]): boolean =>
  properties['hidden'] === true ||
  style.get('display') === 'none' ||
  style.get('visibility') === 'hidden' ||
  style.get('mso-hide') === 'all' ||
  style.get('mso-list') === 'ignore' ||
  own.some((name) => droppedClasses.test(name));

function marksOf({ tagName }: Element, style: Declarations, around: readonly Mark[]): readonly Mark[] {
  const marks = new Set(around);
  const tag = ofTags[tagName];
  if (tag !== undefined) marks.add(tag);
  const set = (mark: Mark, isSet: boolean | undefined): unknown =>
    isSet === undefined ? undefined : isSet ? marks.add(mark) : marks.delete(mark);
  const weight = style.get('font-weight');
  const slant = style.get('font-style');
  const decoration = `${style.get('text-decoration') ?? ''} ${style.get('text-decoration-line') ?? ''}`;
  // The head of a table is bold by itself.
  if (tagName !== 'th' && weight !== undefined) set('strong', weight.startsWith('bold') || Number(weight) >= 600);
  if (slant !== undefined) set('em', /^(?:italic|oblique)/.test(slant));
  if (decoration.includes('line-through')) marks.add('del');
  // Links are underlined by themselves.
  if (tagName === 'a') marks.delete('u');
  else if (decoration.includes('underline')) marks.add('u');
  return [...marks];
}

const checkbox = (checked: boolean): Element => element('input', [], { type: 'checkbox', checked });

/** Pixels of the shorter side; an image without a description that is so small is a part of a line. */
const MAX_ORNAMENT = 32;

/** What counts visitors is no image, and what stands for a letter is that letter. */
function cleanImage(node: Element): ElementContent[] {
  const { alt = '', width, height, src, dataEmoji } = node.properties;
  const letter = typeof dataEmoji === 'string' ? dataEmoji : alt;
  if (/^\p{Extended_Pictographic}[\p{Emoji_Component}\p{Extended_Pictographic}]*$/u.test(letter))
    return [{ type: 'text', value: letter }];
  const side = Math.min(...[width, height].map((given) => Number.parseInt(String(given ?? 'none'), 10) || Infinity));
  const isOrnament = Number(width) === 0 || Number(height) === 0 || side <= (alt === '' ? MAX_ORNAMENT : 1);
  return typeof src !== 'string' || src === '' || isOrnament ? [] : [node];
}

function cleanLink(node: Element, children: ElementContent[]): ElementContent[] {
  const { href } = node.properties;
  const hasContent = children.some((child) => textOf(child).trim() !== '' || hasImage(child));
  if (typeof href !== 'string' || !hasContent) return children;
  return [{ ...node, properties: { href: targetOf(href), title: node.properties['title'] }, children }];
}

const hasImage = (node: ElementContent): boolean => isElement(node, 'img') || childrenOf(node).some(hasImage);

/** Google's documents and mails lead over an address of Google's. */
function targetOf(href: string): string {
  if (!/^https?:\/\/(?:www\.)?google\.[\w.]+\/url\?/.test(href)) return href;
  return new URL(href).searchParams.get('q') ?? href;
}

/** Lists in lists are in items, which Google's and Microsoft's programs forget. */
function withListsInItems(children: readonly ElementContent[]): ElementContent[] {
  const items: ElementContent[] = [];
  for (const child of children) {
    const last = items.at(-1);
    if (isElement(child, 'ul', 'ol') && last !== undefined && isElement(last, 'li')) last.children.push(child);
    else if (isElement(child, 'ul', 'ol')) items.push(element('li', [child]));
    else if (textOf(child).trim() !== '' || hasImage(child))
      items.push(isElement(child, 'li') ? child : element('li', [child]));
  }
  return items;
}

function cleanItem(node: Element, children: ElementContent[]): Element {
  const isTask = node.properties['role'] === 'checkbox';
  // Google draws the box.
  const own = isTask
    ? [checkbox(node.properties['ariaChecked'] === 'true'), ...children.filter((child) => !isElement(child, 'img'))]
    : children;
  const first = own.findIndex((child) => child.type !== 'text' || child.value.trim() !== '');
  return { ...node, children: own.slice(Math.max(0, first)) };
}

/** Tables that only place what is in them are no tables, and neither is a single cell. */
function cleanTable(table: Element): ElementContent[] {
  const rows: Element[][] = [];
  const visit = (node: ElementContent): void => {
    if (isElement(node, 'tr')) rows.push(node.children.filter((child) => isElement(child, 'td')));
    else childrenOf(node).forEach(visit);
  };
  table.children.forEach(visit);
  const cells = rows.flat();
  const isPlaced = (...names: readonly string[]): boolean =>
    cells.some((cell) => cell.children.some((child) => isElement(child, ...names)));
  const isLayout =
    cells.length === 1 ||
    ['presentation', 'none'].includes(String(table.properties['role'])) ||
    isPlaced('table', 'h1', 'h2', 'h3') ||
    (rows.every(({ length }) => length < 2) && isPlaced('p', 'div', 'ul', 'ol', 'blockquote', 'pre'));
  return isLayout ? cells.map((cell) => element('div', cell.children)) : [table];
}

/** Code with the name of its language, which sites write in many ways. */
function codeOf(node: Element, own: readonly string[], { language }: Around): Element {
  const inner = node.children.filter((child) => isElement(child, 'code'));
  const names = [...own, ...inner.flatMap((child) => classesOf(child))];
  const brush = own.includes('brush:') ? own[own.indexOf('brush:') + 1] : undefined;
  const named = names
    .map((name) => /^(?:language|lang)-(.+)$/.exec(name)?.[1])
    .find((name) => name !== undefined && name !== 'none');
  const found = named ?? brush ?? language;
  const code = element(
    'code',
    [{ type: 'text', value: linesOf(node) }],
    found === undefined ? {} : { className: [`language-${found}`] },
  );
  return element('pre', [code]);
}

function linesOf(node: ElementContent): string {
  if (node.type !== 'element') return textOf(node);
  return node.tagName === 'br' ? '\n' : node.children.map(linesOf).join('');
}

/** Editors of code write each line as a block, in colours. */
const isEditor = ({ tagName }: Element, style: Declarations): boolean =>
  tagName === 'div' &&
  style.get('white-space')?.startsWith('pre') === true &&
  monospace.test(style.get('font-family') ?? '');

function codeOfEditor(node: Element, around: Around, classes: Classes): ElementContent[] {
  const lines = node.children.filter((child) => isElement(child, 'div', 'br'));
  if (lines.length < 2)
    return cleanAll(
      node.children.flatMap((child) => (child.type === 'element' ? child.children : [child])),
      around,
      classes,
    );
  const text = lines.map((line) => (isElement(line, 'br') ? '' : linesOf(line))).join('\n');
  return [element('pre', [element('code', [{ type: 'text', value: text }])])];
}
