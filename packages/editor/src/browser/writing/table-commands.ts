import { Editor, Element, Node, Point, Range, Transforms, type Path } from 'slate';
import { tableBlock, type ElementNode } from './document/document.js';

/** The cell with the cursor. */
export interface Cell {
  /** Of the table. */
  readonly path: Path;
  readonly table: ElementNode;
  readonly row: number;
  readonly column: number;
}

const isTable = (node: Node): node is ElementNode => Element.isElement(node) && node.type === 'table';
export const isCell = (node: Node): boolean => Element.isElement(node) && node.type === 'table-cell';

export function cellAt(editor: Editor): Cell | undefined {
  if (editor.selection === null) return undefined;
  const [table, path] = Editor.above(editor, { match: isTable }) ?? [];
  const [, at] = Editor.above(editor, { at: editor.selection.focus, match: isCell }) ?? [];
  if (table === undefined || path === undefined || at === undefined) return undefined;
  const [row = 0, column = 0] = at.slice(path.length);
  return { path, table, row, column };
}

const cells = (row: ElementNode['children'][number]): ElementNode['children'] =>
  'children' in row ? row.children : [];
const contentsOf = (table: ElementNode): ElementNode['children'][][] =>
  table.children.map((row) => cells(row).map((cell) => ('children' in cell ? cell.children : [cell])));
const emptyCells = (count: number): ElementNode['children'][] =>
  Array.from({ length: count }, () => [{ type: 'text', text: '' }]);

/** Puts another table in the place of one, and the cursor into a cell of it. */
function replace(editor: Editor, { path }: Cell, table: ElementNode, row: number, column: number): void {
  Editor.withoutNormalizing(editor, () => {
    Transforms.removeNodes(editor, { at: path });
    Transforms.insertNodes(editor, table, { at: path });
  });
  selectCell(editor, path, row, column);
}

/** Selects the end of a cell, or of the nearest one there is. */
export function selectCell(editor: Editor, table: Path, row: number, column: number): void {
  const { children } = Node.get(editor, table) as ElementNode;
  const at = Math.max(0, Math.min(row, children.length - 1));
  const beside = Math.max(0, Math.min(column, cells(children[at] ?? { text: '' }).length - 1));
  Transforms.select(editor, Editor.end(editor, [...table, at, beside]));
}

/** What can be done with the table around the cursor. */
export const tableActions = {
  addRow: (editor: Editor, cell: Cell): void => {
    const { path, table, row, column } = cell;
    const added = emptyCells(table.align?.length ?? 1).map((children) => ({ type: 'table-cell', children }));
    Transforms.insertNodes(editor, { type: 'table-row', children: added }, { at: [...path, row + 1] });
    selectCell(editor, path, row + 1, column);
  },
  addColumn: (editor: Editor, cell: Cell): void => {
    const { table, row, column } = cell;
    const rows = contentsOf(table).map((contents) => contents.toSpliced(column + 1, 0, ...emptyCells(1)));
    replace(editor, cell, tableBlock(rows, table.align?.toSpliced(column + 1, 0, null)), row, column + 1);
  },
  removeRow: (editor: Editor, cell: Cell): void => {
    const { path, table, row, column } = cell;
    if (table.children.length === 1) return removeTable(editor, cell);
    Transforms.removeNodes(editor, { at: [...path, row] });
    selectCell(editor, path, row, column);
  },
  removeColumn: (editor: Editor, cell: Cell): void => {
    const { table, row, column } = cell;
    if ((table.align?.length ?? 1) === 1) return removeTable(editor, cell);
    const rows = contentsOf(table).map((contents) => contents.toSpliced(column, 1));
    replace(editor, cell, tableBlock(rows, table.align?.toSpliced(column, 1)), row, column);
  },
  removeTable,
} as const;

function removeTable(editor: Editor, { path }: Cell): void {
  Transforms.removeNodes(editor, { at: path });
  if (editor.children.length === 0)
    Transforms.insertNodes(editor, { type: 'paragraph', children: [{ type: 'text', text: '' }] });
  else if (editor.selection === null) Transforms.select(editor, Editor.start(editor, []));
}

/**
 * Goes to the cell below, or to the one beside; below and after the last row is a new one.
 * @returns whether there is one
 */
export function moveInTable(editor: Editor, to: 'below' | 'next' | 'previous'): boolean {
  const cell = cellAt(editor);
  if (cell === undefined) return false;
  const { path, table, row, column } = cell;
  const width = table.align?.length ?? 1;
  if (to === 'below') {
    if (row + 1 === table.children.length) tableActions.addRow(editor, cell);
    else selectCell(editor, path, row + 1, column);
    return true;
  }
  const place = row * width + column + (to === 'next' ? 1 : -1);
  // Tab with Shift leaves the text there.
  if (place < 0) return false;
  if (place === table.children.length * width) {
    tableActions.addRow(editor, cell);
    selectCell(editor, path, row + 1, 0);
    return true;
  }
  selectCell(editor, path, Math.floor(place / width), place % width);
  return true;
}

/** Writes a pasted table over the cells from the one with the cursor on; the table grows as it has to. */
export function fillCells(editor: Editor, pasted: ElementNode): boolean {
  const cell = cellAt(editor);
  if (cell === undefined) return false;
  const { table, row, column } = cell;
  const added = contentsOf(pasted);
  const current = contentsOf(table);
  const height = Math.max(current.length, row + added.length);
  const width = Math.max(table.align?.length ?? 1, column + (added[0]?.length ?? 0));
  const rows = Array.from({ length: height }, (_, at) =>
    Array.from({ length: width }, (_, beside): ElementNode['children'] => {
      const [own = []] = emptyCells(1);
      return added[at - row]?.[beside - column] ?? current[at]?.[beside] ?? own;
    }),
  );
  replace(editor, cell, tableBlock(rows, table.align), row + added.length - 1, column + (added[0]?.length ?? 1) - 1);
  return true;
}

/**
 * Deletes what is selected, where a table is in it: cells are emptied, and stay. Whole blocks, and whole tables, are
 * removed.
 * @returns whether there was a table
 */
export function deleteWithTables(editor: Editor): boolean {
  const { selection } = editor;
  if (selection === null || Range.isCollapsed(selection)) return false;
  const [start, end] = Range.edges(selection);
  const sameCell = Editor.above(editor, { at: selection, match: isCell });
  const tables = [...Editor.nodes(editor, { at: selection, match: isTable })];
  if (tables.length === 0 || sameCell !== undefined) return false;
  const after = Editor.pointRef(editor, start, { affinity: 'backward' });
  const isCovered = (path: Path): boolean => {
    const range = Editor.range(editor, path);
    return !Point.isBefore(range.anchor, start) && !Point.isAfter(range.focus, end);
  };
  Editor.withoutNormalizing(editor, () => {
    const blocks = [...Editor.nodes(editor, { at: selection, match: (_, path) => path.length === 1 })].toReversed();
    for (const [block, path] of blocks) {
      if (isCovered(path) && (blocks.length > 1 || !isTable(block))) {
        Transforms.removeNodes(editor, { at: path });
        continue;
      }
      const lines = [...Editor.nodes(editor, { at: path, match: (node) => isLine(editor, node) })].toReversed();
      for (const [, line] of lines) {
        const inside = Range.intersection(Editor.range(editor, line), { anchor: start, focus: end });
        if (inside !== null && Range.isExpanded(inside)) Transforms.delete(editor, { at: inside });
      }
    }
    if (editor.children.length === 0)
      Transforms.insertNodes(editor, { type: 'paragraph', children: [{ type: 'text', text: '' }] }, { at: [0] });
  });
  Transforms.select(editor, after.unref() ?? Editor.start(editor, []));
  return true;
}

const isLine = (editor: Editor, node: Node): boolean =>
  Element.isElement(node) && Editor.isBlock(editor, node) && Editor.hasInlines(editor, node) && !editor.isVoid(node);

/**
 * Keeps rows in tables, cells in rows, as many in each row, and only text in cells.
 * @returns whether something was changed
 */
export function mendTable(editor: Editor, node: Node, path: Path): boolean {
  if (!Element.isElement(node) || path.length === 0) return false;
  const parent = Node.parent(editor, path) as ElementNode;
  if (isCell(node)) {
    if (parent.type !== 'table-row') Transforms.setNodes(editor, { type: 'paragraph' }, { at: path });
    else if (node.children.some((child) => Element.isElement(child) && Editor.isBlock(editor, child)))
      Transforms.unwrapNodes(editor, {
        at: path,
        match: (inner, at) =>
          at.length === path.length + 1 && Element.isElement(inner) && Editor.isBlock(editor, inner),
        mode: 'all',
        voids: true,
      });
    else return false;
    return true;
  }
  if (node.type === 'table-row') {
    if (parent.type !== 'table') Transforms.unwrapNodes(editor, { at: path });
    else return wrapOthers(editor, node, path, 'table-cell');
    return true;
  }
  if (node.type !== 'table') return false;
  if (wrapOthers(editor, node, path, 'table-row')) return true;
  const width = Math.max(1, ...node.children.map((row) => cells(row).length));
  if (node.align?.length !== width) {
    const align = Array.from({ length: width }, (_, column) => node.align?.[column] ?? null);
    Transforms.setNodes<ElementNode>(editor, { align }, { at: path });
    return true;
  }
  const short = node.children.findIndex((row) => cells(row).length < width);
  if (short === -1) return false;
  const [children = []] = emptyCells(1);
  const { length } = cells(node.children[short] ?? { text: '' });
  Transforms.insertNodes(editor, { type: 'table-cell', children }, { at: [...path, short, length] });
  return true;
}

function wrapOthers(editor: Editor, node: ElementNode, path: Path, type: string): boolean {
  const index = node.children.findIndex((child) => !('type' in child) || child.type !== type);
  if (index === -1) return false;
  Transforms.wrapNodes(editor, { type, children: [] }, { at: [...path, index] });
  return true;
}
