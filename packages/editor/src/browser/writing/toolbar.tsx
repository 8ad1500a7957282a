import {
  Bold,
  Code,
  CodeXml,
  Image,
  Italic,
  Link,
  List,
  ListOrdered,
  Maximize2,
  Minimize2,
  Minus,
  Quote,
  Redo2,
  Search,
  Strikethrough,
  Table,
  Underline,
  Undo2,
  type LucideIcon,
} from 'lucide-react';
import { Toolbar as Bar } from 'react-aria-components/Toolbar';
import { ReactEditor, useSlate } from 'slate-react';
import { useTexts } from '../language/language.js';
import { Choice } from '../inputs/choice.js';
import { hasMark, insertBlock, kindAt, kinds, linkAt, setKind, toggleMark, type Kind } from './commands.js';
import { lineBlock, type ElementNode, type Format, type Mark } from './document/document.js';
import { newTable } from './document/table.js';

interface Props {
  readonly format: Format;
  readonly marks: readonly Mark[];
  readonly isWide: boolean;
  readonly isUploading: boolean;
  readonly onWide: () => void;
  readonly onLink: () => void;
  /** Undefined: the user may not see the library. */
  readonly onImage: (() => void) | undefined;
  readonly onSource: () => void;
  readonly onFind: () => void;
}

const icons: Readonly<Record<Mark, LucideIcon>> = {
  bold: Bold,
  italic: Italic,
  underline: Underline,
  strikethrough: Strikethrough,
  code: Code,
};
const blockIcons: readonly (readonly [kind: Kind, icon: LucideIcon])[] = [
  ['unordered', List],
  ['ordered', ListOrdered],
  ['quote', Quote],
];

/** What can be done with the selected text. One stop of the Tab key; arrow keys lead from button to button. */
export function Toolbar(props: Props) {
  const texts = useTexts().writing;
  const editor = useSlate();
  const kind = kindAt(editor);
  const change = (work: () => void): void => {
    work();
    ReactEditor.focus(editor);
  };
  const insert = (block: ElementNode): void => change(() => insertBlock(editor, block));
  const button = (label: string, Icon: LucideIcon, onClick: () => void, isPressed?: boolean, disabled = false) => (
    <button
      type="button"
      key={label}
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      disabled={disabled}
      // The text keeps its selection.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      <Icon size={18} aria-hidden />
    </button>
  );
  return (
    <Bar className="tools" aria-label={texts.formatting}>
      <Choice
        aria-label={texts.kind}
        placeholder={texts.kind}
        value={kind ?? ''}
        onChange={(chosen) => change(() => setKind(editor, chosen as Kind))}
        options={(Object.keys(kinds) as Kind[]).map((name) => ({ value: name, label: texts.kinds[name] }))}
      />
      {props.marks.map((mark) =>
        button(texts.marks[mark], icons[mark], () => change(() => toggleMark(editor, mark)), hasMark(editor, mark)),
      )}
      {button(texts.link, Link, props.onLink, linkAt(editor) !== undefined)}
      {blockIcons.map(([name, icon]) =>
        button(
          texts.kinds[name],
          icon,
          () => change(() => setKind(editor, kind === name ? 'paragraph' : name)),
          kind === name,
        ),
      )}
      {props.onImage !== undefined && button(texts.image, Image, props.onImage, undefined, props.isUploading)}
      {props.format === 'markdown' && button(texts.table, Table, () => insert(newTable()))}
      {props.format === 'markdown' && button(texts.line, Minus, () => insert(lineBlock()))}
      <span className="space" />
      {button(texts.undo, Undo2, () => change(() => editor.undo()), undefined, editor.history.undos.length === 0)}
      {button(texts.redo, Redo2, () => change(() => editor.redo()), undefined, editor.history.redos.length === 0)}
      {button(texts.find.title, Search, props.onFind)}
      {button(texts.asSource, CodeXml, props.onSource)}
      {button(texts.fullScreen, props.isWide ? Minimize2 : Maximize2, props.onWide, props.isWide)}
    </Bar>
  );
}
