import { useState, type KeyboardEvent, type RefObject } from 'react';
import { Editor, Range, Transforms } from 'slate';
import { ReactEditor } from 'slate-react';
import type { Texts } from '../language/texts.js';
import { useOptionList } from '../inputs/option-list.js';
import { useTexts } from '../language/language.js';
import { insertBlock, kinds, lineAt, setKind, type Kind } from './commands.js';
import { lineBlock, type ElementNode, type Format } from './document/document.js';
import { newTable } from './document/table.js';

interface Options {
  readonly editor: Editor;
  /** What is around the text. */
  readonly area: RefObject<HTMLElement | null>;
  readonly format: Format;
  readonly mayInsertImage: boolean;
  readonly onImage: () => void;
}

interface Choice {
  readonly label: string;
  readonly insert: () => void;
}

function choicesOf({ editor, format, mayInsertImage, onImage }: Options, texts: Texts['writing']): readonly Choice[] {
  const block = (label: string, create: () => ElementNode): Choice => ({
    label,
    insert: () => insertBlock(editor, create()),
  });
  return [
    ...(Object.keys(kinds) as Kind[]).map((kind) => ({
      label: texts.kinds[kind],
      insert: () => setKind(editor, kind),
    })),
    ...(mayInsertImage ? [{ label: texts.image, insert: onImage }] : []),
    ...(format === 'markdown' ? [block(texts.table, newTable), block(texts.line, lineBlock)] : []),
  ];
}

/** Pixels. */
const MAX_HEIGHT = 240;

/** The menu that a slash at the start of a paragraph opens. The focus stays in the text. */
export function useSlashMenu(options: Options) {
  const { editor, area } = options;
  const texts = useTexts().writing;
  /** What was typed after the slash; undefined: the menu is closed. */
  const [search, setSearch] = useState<string>();
  const found =
    search === undefined ? [] : choicesOf(options, texts).filter(({ label }) => label.toLowerCase().includes(search));
  const { list, activeId, press } = useOptionList({
    label: texts.kind,
    isOpen: found.length > 0,
    search: search ?? '',
    options: found.map(({ label, insert }) => ({
      key: label,
      content: label,
      choose: () => {
        const [, path] = lineAt(editor) ?? [];
        if (path === undefined) return;
        Transforms.delete(editor, { at: Editor.range(editor, path) });
        insert();
      },
    })),
    onClose: () => setSearch(undefined),
    className: 'choices slash',
    // Above the line it would cover what was written.
    shouldFlip: false,
    maxHeight: MAX_HEIGHT,
    triggerRef: area,
    getTargetRect: () => boxOf(editor),
  });
  return {
    list,
    activeId,
    /** @returns whether the key belongs to the menu */
    press: (event: KeyboardEvent): boolean => press(event, event.key === 'Tab' ? 'Enter' : event.key),
    follow: () => {
      const next = searchAt(editor);
      if (next === undefined || search !== undefined) setSearch(next);
      else makeRoomThen(editor, () => setSearch(searchAt(editor)));
    },
  };
}

const boxOf = (editor: Editor): DOMRect | null =>
  editor.selection && ReactEditor.toDOMRange(editor, editor.selection).getBoundingClientRect();

/**
 * Goes on when there is room below the cursor, as far as the page can be scrolled: a list that is open would close
 * then.
 */
function makeRoomThen(editor: Editor, goOn: () => void): void {
  // The letters are on the page in the next frame.
  requestAnimationFrame(() => {
    const [line] = lineAt(editor) ?? [];
    if (line === undefined || innerHeight - (boxOf(editor)?.bottom ?? 0) >= MAX_HEIGHT) return goOn();
    ReactEditor.toDOMNode(editor, line).scrollIntoView({ block: 'center' });
    return requestAnimationFrame(() => requestAnimationFrame(goOn));
  });
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
