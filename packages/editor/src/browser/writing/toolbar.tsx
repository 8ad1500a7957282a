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
  Quote,
  Strikethrough,
  Underline,
  type LucideIcon,
} from 'lucide-react';
import { Toolbar as Bar } from 'react-aria-components/Toolbar';
import { ReactEditor, useSlate } from 'slate-react';
import { useTexts } from '../language/language.js';
import { Choice } from '../inputs/choice.js';
import { hasMark, kindAt, kinds, linkAt, setKind, toggleMark, type Kind } from './commands.js';
import type { Mark } from './document/document.js';

interface Props {
  readonly marks: readonly Mark[];
  readonly isWide: boolean;
  readonly isUploading: boolean;
  readonly onWide: () => void;
  readonly onLink: () => void;
  /** Undefined: the user may not see the library. */
  readonly onImage: (() => void) | undefined;
  readonly onSource: () => void;
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
      <span className="space" />
      {button(texts.asSource, CodeXml, props.onSource)}
      {button(texts.fullScreen, props.isWide ? Minimize2 : Maximize2, props.onWide, props.isWide)}
    </Bar>
  );
}
