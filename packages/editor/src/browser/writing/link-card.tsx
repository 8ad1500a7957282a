import { Editor } from 'slate';
import { ReactEditor, useSlate } from 'slate-react';
import { useLayoutEffect, useRef, type RefObject } from 'react';
import { useTexts } from '../language/language.js';
import { linkAt, setLink } from './commands.js';
import { isSafeLink } from './document/addresses.js';

interface Props {
  /** Around the text, with room for the card. */
  readonly area: RefObject<HTMLElement | null>;
  readonly onEdit: () => void;
}

/** Below the link with the cursor: where it leads, and what can be done with it. */
export function LinkCard({ area, onEdit }: Props) {
  const editor = useSlate();
  const texts = useTexts();
  const card = useRef<HTMLDivElement>(null);
  const link = linkAt(editor);
  useLayoutEffect(() => {
    const [element, around] = [card.current, area.current];
    if (link === undefined || element === null || around === null) return;
    const box = around.getBoundingClientRect();
    // A link over several lines: below its last one.
    const line = [...ReactEditor.toDOMNode(editor, link).getClientRects()].at(-1);
    const left = Math.min((line?.left ?? box.left) - box.left, box.width - element.offsetWidth - 8);
    element.style.translate = `${Math.max(left, 8)}px ${(line?.bottom ?? box.top) - box.top + around.scrollTop + 4}px`;
  });
  if (link === undefined) return undefined;
  const { url = '', title } = link;
  const keepCursor = (event: React.MouseEvent): void => event.preventDefault();
  return (
    <div ref={card} className="link-card" role="group" aria-label={texts.writing.link}>
      <a href={isSafeLink(url) ? url : undefined} target="_blank" rel="noreferrer" onMouseDown={keepCursor}>
        {url}
      </a>
      {title !== undefined && <span className="hint">{title}</span>}
      <button type="button" onMouseDown={keepCursor} onClick={onEdit}>
        {texts.writing.changeLink}
      </button>
      <button
        type="button"
        onMouseDown={keepCursor}
        onClick={() => {
          Editor.withoutNormalizing(editor, () => setLink(editor, ''));
          ReactEditor.focus(editor);
        }}
      >
        {texts.writing.removeLink}
      </button>
    </div>
  );
}
