import { Editor, Element, Node, type Path, Range, Text, Transforms } from 'slate';
import { indent, isList, kinds, leaveBlock, lineAt, outdent, setKind, type Kind } from './commands.js';
import { marks, type ElementNode, type Mark } from './document/document.js';

/** What a block becomes that begins with these signs and a space. */
const starts: readonly (readonly [pattern: RegExp, kind: (sign: string) => Kind])[] = [
  [/^#{1,6}$/, (sign) => `heading${sign.length}` as Kind],
  [/^[-*+]$/, () => 'unordered'],
  [/^1[.)]$/, () => 'ordered'],
  [/^>$/, () => 'quote'],
  [/^```$/, () => 'code'],
];

/** What text becomes that is between these signs. */
const pairs: readonly (readonly [pattern: RegExp, mark: Mark])[] = [
  [/(?<![*\w])\*\*(?![\s*])[^*]*[^\s*]\*\*$/, 'bold'],
  [/(?<![~\w])~~(?![\s~])[^~]*[^\s~]~~$/, 'strikethrough'],
  [/(?<![`\w])`(?!`)[^`]+`$/, 'code'],
  [/(?<![*\w])\*(?![\s*])[^*]*[^\s*]\*$/, 'italic'],
  [/(?<![_\w])_(?![\s_])[^_]*[^\s_]_$/, 'italic'],
];

/** How an editor of blocks reacts to keys: Enter, Backspace, and signs of Markdown. */
export function withTyping(editor: Editor): Editor {
  const { insertText, insertBreak, deleteBackward, normalizeNode, isVoid, isInline } = editor;
  editor.isVoid = (element) => ['image', 'table', 'kept'].includes(element.type) || isVoid(element);
  editor.isInline = (element) => element.type === 'link' || isInline(element);
  editor.insertText = (text, options) => {
    if (text === ' ' && startBlock(editor)) return;
    insertText(text, options);
    if (/^[*_~`]$/.test(text)) closeMark(editor);
  };
  editor.insertSoftBreak = () => editor.insertText('\n');
  editor.insertBreak = () => {
    const [line, path] = lineAt(editor) ?? [];
    if (line === undefined || path === undefined || editor.selection === null) return insertBreak();
    const isEmptyLine = Node.string(line) === '';
    if (editor.isVoid(line)) return leaveBlock(editor);
    if (line.type === 'list-item' && isEmptyLine) return void outdent(editor);
    const isAtEnd = Editor.isEnd(editor, Range.end(editor.selection), path);
    if (line.type === 'code' || line.type === 'source') {
      if (!isAtEnd || !Node.string(line).endsWith('\n')) return editor.insertText('\n');
      Editor.deleteBackward(editor, { unit: 'character' });
      return leaveBlock(editor);
    }
    insertBreak();
    // What follows a heading or a quote is text.
    if (isAtEnd && line.type !== 'list-item') setKind(editor, 'paragraph');
  };
  editor.deleteBackward = (unit) => {
    const [line, path] = lineAt(editor) ?? [];
    const { selection } = editor;
    const isAtStart =
      selection !== null &&
      path !== undefined &&
      Range.isCollapsed(selection) &&
      Editor.isStart(editor, selection.anchor, path);
    if (!isAtStart || line === undefined || line.type === 'paragraph' || editor.isVoid(line))
      return deleteBackward(unit);
    if (line.type === 'list-item') outdent(editor);
    else setKind(editor, 'paragraph');
  };
  editor.normalizeNode = (entry, options) => {
    if (!mend(editor, entry[0], entry[1])) normalizeNode(entry, options);
  };
  return editor;
}

/** Keeps items in lists, and says in each list how deep it is. @returns whether something was changed */
function mend(editor: Editor, node: Node, path: Path): boolean {
  if (!Element.isElement(node) || path.length === 0) return false;
  const parent = Node.parent(editor, path);
  if (node.type === 'list-item' && !isList(parent)) {
    Transforms.setNodes(editor, kinds.paragraph, { at: path });
    return true;
  }
  if (Editor.isBlock(editor, node) && isList(parent) && !['list', 'list-item'].includes(node.type)) {
    Transforms.setNodes(editor, { type: 'list-item' }, { at: path });
    return true;
  }
  if (node.type !== 'list') return false;
  const [first] = node.children;
  if (first === undefined || 'text' in first) {
    Transforms.removeNodes(editor, { at: path });
    return true;
  }
  const depth = [...Node.ancestors(editor, path)].filter(([above]) => isList(above)).length;
  if ((node.indentLevel ?? 0) === depth) return false;
  if (depth === 0) Transforms.unsetNodes(editor, 'indentLevel', { at: path });
  else Transforms.setNodes<ElementNode>(editor, { indentLevel: depth }, { at: path });
  return true;
}

/** Makes a paragraph that begins with a sign of Markdown what the sign says. */
function startBlock(editor: Editor): boolean {
  const { selection } = editor;
  const [line, path] = lineAt(editor) ?? [];
  if (selection === null || line?.type !== 'paragraph' || path === undefined || Range.isExpanded(selection))
    return false;
  const typed = { anchor: Editor.start(editor, path), focus: selection.anchor };
  const sign = Editor.string(editor, typed);
  const [, kind] = starts.find(([pattern]) => pattern.test(sign)) ?? [];
  if (kind === undefined) return false;
  Transforms.delete(editor, { at: typed });
  setKind(editor, kind(sign));
  return true;
}

/** Gives text a mark whose second sign was typed. */
function closeMark(editor: Editor): void {
  const { selection } = editor;
  const [line, path] = lineAt(editor) ?? [];
  if (selection === null || path === undefined || line === undefined || ['code', 'source'].includes(line.type)) return;
  const end = selection.anchor;
  const before = Editor.string(editor, { anchor: Editor.start(editor, path), focus: end });
  for (const [pattern, mark] of pairs) {
    const [found] = pattern.exec(before) ?? [];
    if (found === undefined) continue;
    const width = mark === 'bold' || mark === 'strikethrough' ? 2 : 1;
    const back = (distance: number) => Editor.before(editor, end, { distance, unit: 'offset' }) ?? end;
    const [start, first, last] = [back(found.length), back(found.length - width), back(width)];
    const marked = Editor.rangeRef(editor, { anchor: first, focus: last });
    Transforms.delete(editor, { at: { anchor: last, focus: end } });
    Transforms.delete(editor, { at: { anchor: start, focus: first } });
    const range = marked.unref();
    if (range !== null) Transforms.setNodes(editor, { [mark]: true }, { at: range, match: Text.isText, split: true });
    Editor.removeMark(editor, mark);
    return;
  }
}

/** A key, as browsers describe it. */
interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

/** Shortcuts with Ctrl or Cmd. */
const shortcuts: Readonly<Record<string, Mark>> = { b: 'bold', i: 'italic', u: 'underline', e: 'code' };

/** @returns whether the key means something here */
export function press(editor: Editor, event: Pressed, allowed: readonly Mark[]): boolean {
  const isControl = event.ctrlKey || event.metaKey;
  if (event.key === 'Tab' && !isControl)
    return event.shiftKey ? (lineAt(editor)?.[1].length ?? 0) > 2 && outdent(editor) : indent(editor);
  if (!isControl) return false;
  if (event.key === 'Enter') {
    leaveBlock(editor);
    return true;
  }
  const mark = event.shiftKey && event.key.toLowerCase() === 'x' ? 'strikethrough' : shortcuts[event.key];
  if (mark === undefined || !allowed.includes(mark) || !marks.includes(mark)) return false;
  if (Editor.marks(editor)?.[mark] === true) Editor.removeMark(editor, mark);
  else Editor.addMark(editor, mark, true);
  return true;
}
