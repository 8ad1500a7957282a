import { expect, test } from '@jest/globals';
import { createEditor, Editor, Transforms, type Descendant } from 'slate';
import { tableBlock } from '../../src/browser/writing/document/document.js';
import { cellAt, moveInTable, selectCell } from '../../src/browser/writing/table-commands.js';

const cell = (text: string): Descendant[] => [{ type: 'text', text }];

/** A table of two rows and columns, with the cursor in a cell. */
function tableWithCursor(row: number, column: number): Editor {
  const editor = createEditor();
  editor.children = [tableBlock([['a', 'b'].map(cell), ['1', '2'].map(cell)] as never, [null, null])];
  selectCell(editor, [0], row, column);
  return editor;
}

const placeOf = (editor: Editor): unknown => {
  const at = cellAt(editor);
  return at && [at.row, at.column, at.table.children.length];
};

test.each([
  ['next', [0, 0], true, [0, 1, 2]],
  ['next', [0, 1], true, [1, 0, 2]],
  ['next', [1, 1], true, [2, 0, 3]],
  ['previous', [1, 0], true, [0, 1, 2]],
  ['previous', [0, 0], false, [0, 0, 2]],
  ['below', [0, 1], true, [1, 1, 2]],
  ['below', [1, 1], true, [2, 1, 3]],
] as const)('%s of %j goes to a cell, or makes a row', (to, [row, column], isMoved, place) => {
  const editor = tableWithCursor(row, column);
  expect(moveInTable(editor, to)).toBe(isMoved);
  expect(placeOf(editor)).toEqual(place);
});

test('what is typed after the last cell is in the new row', () => {
  const editor = tableWithCursor(1, 1);
  moveInTable(editor, 'next');
  Transforms.insertText(editor, 'new');
  expect(Editor.string(editor, [0, 2, 0])).toBe('new');
});
