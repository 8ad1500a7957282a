import { Editor } from 'slate';
import {
  ReactEditor,
  useReadOnly,
  useSelected,
  useSlateSelector,
  useSlateStatic,
  type RenderElementProps,
} from 'slate-react';
import { useTexts } from '../language/language.js';
import { cellAt, tableActions } from './table-commands.js';

/** A table, with what can be done with the row and the column of the cursor. */
export function TableBlock({ attributes, children }: RenderElementProps) {
  const texts = useTexts().writing;
  const editor = useSlateStatic();
  const isSelected = useSelected();
  const isReadOnly = useReadOnly();
  return (
    <div {...attributes} className="text-table">
      <table>
        <tbody>{children}</tbody>
      </table>
      {!isReadOnly && isSelected && (
        <div className="actions" contentEditable={false}>
          {(Object.keys(tableActions) as (keyof typeof tableActions)[]).map((name) => (
            <button
              key={name}
              type="button"
              // The cell keeps the cursor.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                const cell = cellAt(editor);
                if (cell !== undefined) Editor.withoutNormalizing(editor, () => tableActions[name](editor, cell));
                ReactEditor.focus(editor);
              }}
            >
              {texts[name]}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** A cell; those of the first row are its head. */
export function TableCell({ element, attributes, children }: RenderElementProps) {
  const Cell = useSlateSelector((editor) => (ReactEditor.findPath(editor, element).at(-2) === 0 ? 'th' : 'td'));
  return <Cell {...attributes}>{children}</Cell>;
}
