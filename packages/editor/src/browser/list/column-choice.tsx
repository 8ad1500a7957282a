import { Columns3 } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../language/language.js';
import { columnChoices, columnsOf, ID } from '../model/lists/list-state.js';
import { titleAttribute, type ContentType } from '../model/schema.js';
import { Dialog } from '../shell/dialog.js';

interface Props {
  readonly type: ContentType;
  readonly chosen: readonly string[] | undefined;
  readonly onChoose: (names: readonly string[] | undefined) => void;
}

/** Chooses what a list shows of its entries; their title it always does. */
export function ColumnChoice({ type, chosen, onChoose }: Props) {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  const title = titleAttribute(type);
  const choices = columnChoices(type).filter((attribute) => attribute !== title);
  const attributes = columnsOf(type, chosen).map(({ name }) => name);
  const shown = chosen?.includes(ID) === true ? [...attributes, ID] : attributes;
  const boxes = [
    ...choices.map(({ name, label }) => ({ name, label })),
    // Without a title the list shows them anyway.
    ...(title === undefined ? [] : [{ name: ID, label: texts.list.id }]),
  ];
  if (boxes.length === 0) return undefined;
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        <Columns3 size={16} aria-hidden="true" />
        {texts.list.columns}
      </button>
      {isOpen && (
        <Dialog title={texts.list.columns} onClose={() => setOpen(false)}>
          <form className="checks">
            {boxes.map(({ name, label }) => (
              <label key={name} className="check">
                <input
                  type="checkbox"
                  checked={shown.includes(name)}
                  onChange={({ target }) =>
                    onChoose(target.checked ? [...shown, name] : shown.filter((other) => other !== name))
                  }
                />
                {label}
              </label>
            ))}
          </form>
          <p className="hint row">
            <span className="grow">{texts.list.columnsAreKept}</span>
            <button type="button" disabled={chosen === undefined} onClick={() => onChoose(undefined)}>
              {texts.list.usualColumns}
            </button>
          </p>
        </Dialog>
      )}
    </>
  );
}
