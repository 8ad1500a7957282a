import { useRef, useState } from 'react';
import { Transforms } from 'slate';
import { ReactEditor, useReadOnly, useSlateStatic, type RenderElementProps } from 'slate-react';
import { useTexts } from '../language/language.js';
import { newTable, withCell, withColumn, withoutColumn, withoutRow, withRow } from './document/table.js';
import type { Table } from './document/document.js';

/** A table whose cells are lines of Markdown. */
export function TableBlock({ element, attributes, children }: RenderElementProps) {
  const texts = useTexts().writing;
  const editor = useSlateStatic();
  const isReadOnly = useReadOnly();
  const body = useRef<HTMLTableSectionElement>(null);
  /** The cell that was used last. */
  const [[row, column], setCell] = useState<readonly [row: number, column: number]>([0, 0]);
  const { table = newTable } = element;
  const set = (next: Table): void =>
    Transforms.setNodes(editor, { table: next }, { at: ReactEditor.findPath(editor, element) });
  const focus = (at: number): void => {
    requestAnimationFrame(() => body.current?.rows[at]?.cells[column]?.querySelector('input')?.focus());
  };
  const action = (label: string, change: () => Table, isAllowed = true) => (
    <button type="button" disabled={!isAllowed} onClick={() => set(change())}>
      {label}
    </button>
  );
  return (
    <div {...attributes} className="table">
      <div contentEditable={false}>
        <div className="scroll">
          <table>
            <tbody ref={body}>
              {table.rows.map((cells, at) => (
                // A row is what is in its place.
                // oxlint-disable-next-line react/no-array-index-key
                <tr key={at}>
                  {cells.map((cell, beside) => {
                    const Cell = at === 0 ? 'th' : 'td';
                    return (
                      // oxlint-disable-next-line react/no-array-index-key
                      <Cell key={beside}>
                        {isReadOnly ? (
                          cell
                        ) : (
                          <input
                            type="text"
                            aria-label={texts.cell(at + 1, beside + 1)}
                            value={cell}
                            onFocus={() => setCell([at, beside])}
                            onChange={({ target }) => set(withCell(table, at, beside, target.value))}
                            onKeyDown={({ key }) => {
                              if (key !== 'Enter') return;
                              if (at + 1 === table.rows.length) set(withRow(table, at + 1));
                              focus(at + 1);
                            }}
                          />
                        )}
                      </Cell>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {!isReadOnly && (
          <div className="actions">
            {action(texts.addRow, () => withRow(table, row + 1))}
            {action(texts.addColumn, () => withColumn(table, column + 1))}
            {action(texts.removeRow, () => withoutRow(table, row), table.rows.length > 1 && row < table.rows.length)}
            {action(
              texts.removeColumn,
              () => withoutColumn(table, column),
              table.align.length > 1 && column < table.align.length,
            )}
          </div>
        )}
      </div>
      {children}
    </div>
  );
}
