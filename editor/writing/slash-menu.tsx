import { useId, useState } from 'react';
import { Popover } from 'react-aria-components/Popover';
import { Editor, Range, Transforms } from 'slate';
import { ReactEditor } from 'slate-react';
import type { Texts } from '../language/texts.js';
import { useTexts } from '../language/language.js';
import { insertBlock, kinds, lineAt, setKind, type Kind } from './commands.js';
import { tableBlock, type ElementNode } from './document/document.js';
import { newTable } from './document/table.js';

interface Options {
  readonly editor: Editor;
  readonly format: 'blocks' | 'markdown';
  readonly mayInsertImage: boolean;
  readonly onImage: () => void;
}

interface Choice {
  readonly label: string;
  readonly insert: () => void;
}

function choicesOf({ editor, format, mayInsertImage, onImage }: Options, texts: Texts['writing']): readonly Choice[] {
  const block = (label: string, added: ElementNode): Choice => ({ label, insert: () => insertBlock(editor, added) });
  return [
    ...(Object.keys(kinds) as Kind[]).map((kind) => ({
      label: texts.kinds[kind],
      insert: () => setKind(editor, kind),
    })),
    ...(mayInsertImage ? [{ label: texts.image, insert: onImage }] : []),
    ...(format === 'markdown'
      ? [
          block(texts.table, tableBlock(newTable)),
          block(texts.line, { type: 'source', children: [{ type: 'text', text: '---' }] }),
        ]
      : []),
  ];
}

/** The menu that a slash at the start of a paragraph opens. The focus stays in the text. */
export function useSlashMenu(options: Options) {
  const { editor } = options;
  const texts = useTexts().writing;
  const id = useId();
  /** What was typed after the slash; undefined: the menu is closed. */
  const [search, setSearch] = useState<string>();
  const [index, setIndex] = useState(0);
  const found =
    search === undefined ? [] : choicesOf(options, texts).filter(({ label }) => label.toLowerCase().includes(search));
  const isOpen = found.length > 0;
  const choose = (choice: Choice | undefined): void => {
    const [, path] = lineAt(editor) ?? [];
    setSearch(undefined);
    if (choice === undefined || path === undefined) return;
    Transforms.delete(editor, { at: Editor.range(editor, path) });
    choice.insert();
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setIndex((index + 1) % found.length),
    ArrowUp: () => setIndex((index + found.length - 1) % found.length),
    Enter: () => choose(found[index]),
    Tab: () => choose(found[index]),
    Escape: () => setSearch(undefined),
  };
  const list = isOpen && (
    <Popover
      className="choices slash"
      isOpen
      isNonModal
      placement="bottom start"
      offset={4}
      triggerRef={{ current: ReactEditor.toDOMNode(editor, editor) }}
      getTargetRect={() => editor.selection && ReactEditor.toDOMRange(editor, editor.selection).getBoundingClientRect()}
      onOpenChange={() => setSearch(undefined)}
    >
      <div role="listbox" aria-label={texts.kind}>
        {found.map((choice, at) => (
          <div
            key={choice.label}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === index}
            onMouseDown={(event) => {
              event.preventDefault();
              choose(choice);
            }}
          >
            {choice.label}
          </div>
        ))}
      </div>
    </Popover>
  );
  return {
    list,
    active: isOpen ? `${id}-${index}` : undefined,
    /** @returns whether the key belongs to the menu */
    press: (key: string): boolean => {
      if (!isOpen || !(key in keys)) return false;
      keys[key]?.();
      return true;
    },
    follow: () => {
      setIndex(0);
      setSearch(searchAt(editor));
    },
  };
}

/** What follows a slash at the start of the paragraph, up to the cursor. */
function searchAt(editor: Editor): string | undefined {
  const { selection } = editor;
  const [line, path] = lineAt(editor) ?? [];
  if (selection === null || path === undefined || line?.type !== 'paragraph' || Range.isExpanded(selection))
    return undefined;
  const before = Editor.string(editor, { anchor: Editor.start(editor, path), focus: selection.anchor });
  return /^\/([\p{L}\p{N} ]*)$/u.exec(before)?.[1]?.toLowerCase();
}
