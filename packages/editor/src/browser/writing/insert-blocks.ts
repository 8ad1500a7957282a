import { Editor, Element, Node, Path, Range, Transforms } from 'slate';
import { HistoryEditor } from 'slate-history';
import { isList, lineAt, setKind } from './commands.js';
import { isText, paragraph, type ElementNode, type TextNode } from './document/document.js';
import { fillCells } from './table-commands.js';

/**
 * Puts blocks where the cursor is, in the place of what is selected, as one step of Undo, and the cursor behind them.
 * @param isCopied they are from a text of the editor, which names the block around the part of a line
 */
export function insertBlocks(editor: Editor, blocks: readonly ElementNode[], isCopied = false): void {
  HistoryEditor.withNewBatch(editor, () => {
    if (editor.selection === null) Transforms.select(editor, Editor.end(editor, []));
    if (editor.selection !== null && Range.isExpanded(editor.selection)) {
      Editor.deleteFragment(editor);
      // What took the place of the whole text is no part of its first block.
      if (editor.children.length === 1 && Node.string(editor) === '') setKind(editor, 'paragraph');
    }
    const [line, path] = lineAt(editor) ?? [];
    const [first, ...others] = blocks;
    if (line === undefined || path === undefined || first === undefined) return;
    if (line.type === 'code' || line.type === 'source') return editor.insertText(blocks.map(textOf).join('\n'));
    if (line.type === 'table-cell') return insertIntoCell(editor, blocks);
    // A part of a line stays one, whatever it is pasted into.
    const [single, ...lines] = blocks.flatMap(linesIn);
    if (single !== undefined && lines.length === 0 && (first.type === 'paragraph' || isCopied))
      return insertInline(editor, single.children);
    if (others.length === 0 && isList(first) && line.type === 'list-item') return insertItems(editor, first, path);
    insertBetween(editor, blocks);
  });
}

/** The blocks of text in a block. */
const linesIn = (block: ElementNode): readonly ElementNode[] =>
  block.children.some((child) => !isText(child) && child.type !== 'link')
    ? (block.children as ElementNode[]).flatMap(linesIn)
    : [block];

const textOf = (block: ElementNode): string =>
  block.children.some((child) => !isText(child) && child.type !== 'link')
    ? (block.children as ElementNode[]).map(textOf).join('\n')
    : Node.string(block);

const insertInline = (editor: Editor, children: readonly (ElementNode | TextNode)[]): void =>
  Transforms.insertNodes(editor, [...children], { select: true });

/** A table is written over the cells from the one with the cursor on; of other blocks a cell gets the lines. */
function insertIntoCell(editor: Editor, blocks: readonly ElementNode[]): void {
  const [first, ...others] = blocks;
  if (first?.type === 'table' && others.length === 0) fillCells(editor, first);
  else if (others.length === 0 && first?.type === 'paragraph') insertInline(editor, first.children);
  else editor.insertText(blocks.map(textOf).join('\n'));
}

/** Adds items to the list of the item with the cursor. */
function insertItems(editor: Editor, list: ElementNode, path: Path): void {
  const isEmptyItem = Node.string(Node.get(editor, path)) === '';
  const at = isEmptyItem ? path : Path.next(path);
  if (isEmptyItem) {
    Transforms.insertNodes(editor, list.children, { at: Path.next(path) });
    Transforms.removeNodes(editor, { at: path });
  } else Transforms.insertNodes(editor, list.children, { at });
  const last = [...at.slice(0, -1), (at.at(-1) ?? 0) + list.children.length - 1];
  Transforms.select(editor, Editor.end(editor, last));
}

/** Divides the block with the cursor, unless it is at one of its ends. */
function insertBetween(editor: Editor, blocks: readonly ElementNode[]): void {
  const point = editor.selection?.anchor;
  const [top] = point?.path ?? [];
  if (point === undefined || top === undefined) return;
  const current = Node.get(editor, [top]);
  const isEmptyLine = Element.isElement(current) && current.type === 'paragraph' && Node.string(current) === '';
  const isAtStart = Editor.isStart(editor, point, [top]) && !(Element.isElement(current) && editor.isVoid(current));
  const at = isEmptyLine || isAtStart ? top : top + 1;
  if (isEmptyLine) {
    Transforms.insertNodes(editor, [...blocks], { at: [top + 1] });
    Transforms.removeNodes(editor, { at: [top] });
  } else {
    if (!isAtStart && !Editor.isEnd(editor, point, [top]))
      Transforms.splitNodes(editor, { at: point, match: (_, path) => path.length === 1, mode: 'highest' });
    Transforms.insertNodes(editor, [...blocks], { at: [at] });
  }
  const last = at + blocks.length - 1;
  const end = blocks.at(-1);
  const isWhole = end !== undefined && (editor.isVoid(end) || end.type === 'table' || end.type === 'code');
  if (isWhole && !Node.has(editor, [last + 1])) Transforms.insertNodes(editor, paragraph(), { at: [last + 1] });
  Transforms.select(editor, isWhole ? Editor.start(editor, [last + 1]) : Editor.end(editor, [last]));
}
