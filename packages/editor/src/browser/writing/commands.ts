import { Editor, Element, Node, Path, Range, Text, Transforms, type NodeEntry } from 'slate';
import { isText, paragraph, type ElementNode, type Mark } from './document/document.js';

/** The kinds of blocks that people choose. */
export const kinds = {
  paragraph: { type: 'paragraph' },
  heading1: { type: 'heading', level: 1 },
  heading2: { type: 'heading', level: 2 },
  heading3: { type: 'heading', level: 3 },
  heading4: { type: 'heading', level: 4 },
  heading5: { type: 'heading', level: 5 },
  heading6: { type: 'heading', level: 6 },
  unordered: { type: 'list', format: 'unordered' },
  ordered: { type: 'list', format: 'ordered' },
  quote: { type: 'quote' },
  code: { type: 'code' },
} as const;
export type Kind = keyof typeof kinds;

export const isList = (node: Node): node is ElementNode => Element.isElement(node) && node.type === 'list';
const isLink = (node: Node): node is ElementNode => Element.isElement(node) && node.type === 'link';
export const isBlock =
  (editor: Editor) =>
  (node: Node): node is ElementNode =>
    Element.isElement(node) && Editor.isBlock(editor, node);

/** The block of text that the cursor is in. */
export const lineAt = (editor: Editor): NodeEntry<ElementNode> | undefined =>
  editor.selection === null ? undefined : Editor.above(editor, { match: isBlock(editor), mode: 'lowest' });

/** The kind of the block with the cursor; undefined for those that are not chosen. */
export function kindAt(editor: Editor): Kind | undefined {
  const [line, path] = lineAt(editor) ?? [];
  if (line === undefined || path === undefined) return undefined;
  const block = line.type === 'list-item' ? (Node.parent(editor, path) as ElementNode) : line;
  const isSame = (kind: { readonly type: string; readonly level?: number; readonly format?: string }): boolean =>
    kind.type === block.type && kind.level === block.level && kind.format === block.format;
  return (Object.keys(kinds) as Kind[]).find((name) => isSame(kinds[name]));
}

/** Makes the selected blocks another kind; lists of one kind beside each other become one. */
export function setKind(editor: Editor, name: Kind): void {
  const kind = kinds[name];
  // A cell has text alone.
  if (lineAt(editor)?.[0].type === 'table-cell') return;
  Editor.withoutNormalizing(editor, () => {
    while ([...Editor.nodes(editor, { match: isList })].length > 0)
      Transforms.unwrapNodes(editor, { match: isList, mode: 'highest', split: true });
    const isLine = (node: Node): boolean =>
      isBlock(editor)(node) && !editor.isVoid(node) && !node.type.startsWith('table');
    const lines = { match: isLine, mode: 'lowest' } as const;
    Transforms.unsetNodes(editor, ['level', 'language', 'soft', 'checked'], lines);
    if (kind.type === 'code') {
      Transforms.unwrapNodes(editor, { match: isLink, mode: 'all' });
      for (const mark of ['bold', 'italic', 'underline', 'strikethrough', 'code', 'source'] as const)
        Transforms.unsetNodes(editor, mark, { match: Text.isText, mode: 'all' });
    }
    Transforms.setNodes(editor, kind.type === 'list' ? { type: 'list-item' } : kind, lines);
    if (kind.type === 'list') {
      Transforms.wrapNodes(
        editor,
        { ...kind, children: [] },
        { match: (node) => Element.isElement(node) && node.type === 'list-item' },
      );
      joinLists(editor);
    }
  });
}

function joinLists(editor: Editor): void {
  const [list, path] = Editor.above(editor, { match: isList, mode: 'highest' }) ?? [];
  if (list === undefined || path === undefined) return;
  const isAlike = (at: Path): boolean => {
    if (!Node.has(editor, at)) return false;
    const other = Node.get(editor, at);
    return isList(other) && other.format === list.format;
  };
  if (isAlike(Path.next(path))) Transforms.mergeNodes(editor, { at: Path.next(path) });
  if (Path.hasPrevious(path) && isAlike(Path.previous(path))) Transforms.mergeNodes(editor, { at: path });
}

/** Puts the item with the cursor into the one above it. @returns whether there was one */
export function indent(editor: Editor): boolean {
  const [line, path] = lineAt(editor) ?? [];
  if (line?.type !== 'list-item' || path === undefined || !Path.hasPrevious(path)) return false;
  const above = Path.previous(path);
  const before = Node.get(editor, above);
  const { format } = Node.parent(editor, path) as ElementNode;
  if (isList(before)) Transforms.moveNodes(editor, { at: path, to: [...above, before.children.length] });
  else Transforms.wrapNodes(editor, { type: 'list', format: format ?? 'unordered', children: [] }, { at: path });
  return true;
}

/** Takes the item with the cursor out of its list. @returns whether there was one */
export function outdent(editor: Editor): boolean {
  const [line, path] = lineAt(editor) ?? [];
  if (line?.type !== 'list-item' || path === undefined) return false;
  if (isList(Node.parent(editor, Path.parent(path)))) Transforms.liftNodes(editor, { at: path });
  else setKind(editor, 'paragraph');
  return true;
}

export const hasMark = (editor: Editor, mark: Mark): boolean => Editor.marks(editor)?.[mark] === true;

export function toggleMark(editor: Editor, mark: Mark): void {
  if (hasMark(editor, mark)) Editor.removeMark(editor, mark);
  else Editor.addMark(editor, mark, true);
}

/** The link with the cursor. */
export const linkAt = (editor: Editor): ElementNode | undefined =>
  editor.selection === null ? undefined : Editor.above(editor, { match: isLink })?.[0];

/** What is known of a link beside its address. */
interface LinkDetails {
  /** Empty: none. */
  readonly title?: string;
  /** Its text, where none is selected; absent: its address. */
  readonly label?: string | undefined;
}

/** Makes the selection a link, changes the link with the cursor, or removes it if the address is empty. */
export function setLink(editor: Editor, url: string, { title = '', label = url }: LinkDetails = {}): void {
  const { selection } = editor;
  if (selection === null) return;
  const own = title === '' ? { url } : { url, title };
  if (linkAt(editor) !== undefined) {
    if (url === '') Transforms.unwrapNodes(editor, { match: isLink });
    else Transforms.setNodes(editor, own, { match: isLink });
    if (url !== '' && title === '') Transforms.unsetNodes(editor, 'title', { match: isLink });
  } else if (url !== '' && Range.isCollapsed(selection)) {
    Transforms.insertNodes(editor, { type: 'link', ...own, children: [{ type: 'text', text: label }] });
    Transforms.move(editor, { unit: 'offset' });
  } else if (url !== '') {
    Transforms.wrapNodes(editor, { type: 'link', ...own, children: [] }, { match: Text.isText, split: true });
    Transforms.collapse(editor, { edge: 'end' });
  }
}

/** Inserts a block at the cursor, instead of an empty one, and continues after it; in a table in its first cell. */
export function insertBlock(editor: Editor, block: ElementNode): void {
  if (editor.selection === null) Transforms.select(editor, Editor.end(editor, []));
  const [line, path] = lineAt(editor) ?? [];
  const isReplaced = line?.type === 'paragraph' && Node.string(line) === '';
  // Tables have no blocks in them.
  const below = line?.type === 'table-cell' ? [(path?.[0] ?? 0) + 1] : undefined;
  if (isReplaced) Transforms.removeNodes(editor, { match: isBlock(editor), mode: 'lowest' });
  else if (editor.selection !== null && Range.isExpanded(editor.selection))
    Transforms.collapse(editor, { edge: 'end' });
  Transforms.insertNodes(editor, block, {
    mode: 'highest',
    select: true,
    ...(below !== undefined && { at: below }),
    ...(editor.children.length === 0 && { at: [0] }),
  });
  const [top] = editor.selection?.anchor.path ?? [];
  if (block.type === 'table' && top !== undefined) {
    after(editor);
    Transforms.select(editor, Editor.start(editor, [top]));
    return;
  }
  const next = block.children.every((child) => isText(child) && child.text === '') ? after(editor) : undefined;
  if (next !== undefined) Transforms.select(editor, Editor.start(editor, next));
}

/** The block after the one with the cursor; the last one gets an empty one after it. */
function after(editor: Editor): Path | undefined {
  const [top] = editor.selection?.anchor.path ?? [];
  if (top === undefined) return undefined;
  if (top + 1 === editor.children.length) Transforms.insertNodes(editor, paragraph(), { at: [top + 1] });
  return [top + 1];
}

/** Leaves the block with the cursor for a new one after it. */
export function leaveBlock(editor: Editor): void {
  const [top] = editor.selection?.anchor.path ?? [];
  if (top === undefined) return;
  Transforms.insertNodes(editor, paragraph(), { at: [top + 1] });
  Transforms.select(editor, Editor.start(editor, [top + 1]));
}

/** Moves the block with the cursor past the one above or below it. @returns whether there was one */
export function moveBlock(editor: Editor, by: 1 | -1): boolean {
  const [top] = editor.selection?.focus.path ?? [];
  if (top === undefined || !Node.has(editor, [top + by])) return false;
  Transforms.moveNodes(editor, { at: [top], to: [top + by] });
  return true;
}
