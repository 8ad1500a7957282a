import { Editor, Element, Node, type Path, Range, Text, Transforms } from 'slate';
import { HistoryEditor } from 'slate-history';
import {
  indent,
  insertBlock,
  isList,
  kinds,
  leaveBlock,
  lineAt,
  moveBlock,
  outdent,
  setKind,
  type Kind,
} from './commands.js';
import { pressedIn, type Pressed } from '../model/commands/shortcuts.js';
import { isSafeLink } from './document/addresses.js';
import { lineBlock, marks, type ElementNode, type Format, type Mark } from './document/document.js';
import { deleteWithTables, isCell, mendTable, moveInTable } from './table-commands.js';

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
export function withTyping(editor: Editor, format: Format): Editor {
  const { insertText, insertBreak, deleteBackward, deleteForward, deleteFragment, normalizeNode, isVoid, isInline } =
    editor;
  editor.isVoid = (element) => ['image', 'line', 'kept'].includes(element.type) || isVoid(element);
  editor.isInline = (element) => element.type === 'link' || isInline(element);
  editor.insertText = (text, options) => {
    deleteWithTables(editor);
    insertText(text, options);
    // What was typed is what Undo brings back.
    if (text === ' ') asOneStep(editor, () => startBlock(editor) || startTask(editor, format));
    if (/^[*_~`]$/.test(text)) asOneStep(editor, () => closeMark(editor));
    if (text === ')') asOneStep(editor, () => closeLink(editor));
  };
  editor.insertSoftBreak = () => editor.insertText('\n');
  editor.insertBreak = () => {
    deleteWithTables(editor);
    const [line, path] = lineAt(editor) ?? [];
    if (line === undefined || path === undefined || editor.selection === null) return insertBreak();
    if (isCell(line)) return void moveInTable(editor, 'below');
    if (startBlockByEnter(editor, format)) return;
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
    if (isAtStart && line !== undefined && isCell(line)) return;
    if (!isAtStart || line === undefined || line.type === 'paragraph' || editor.isVoid(line))
      return isAtStart && isAfterTable(editor, path) ? undefined : deleteBackward(unit);
    if (line.type === 'list-item') outdent(editor);
    else setKind(editor, 'paragraph');
  };
  editor.deleteForward = (unit) => {
    const [line, path] = lineAt(editor) ?? [];
    const { selection } = editor;
    const isAtEnd =
      selection !== null &&
      path !== undefined &&
      Range.isCollapsed(selection) &&
      Editor.isEnd(editor, selection.anchor, path);
    // What is beside a cell stays there.
    if (isAtEnd && line !== undefined && (isCell(line) || isBeforeTable(editor, path))) return;
    deleteForward(unit);
  };
  editor.deleteFragment = (options) => {
    if (!deleteWithTables(editor)) deleteFragment(options);
  };
  editor.normalizeNode = (entry, options) => {
    if (!mend(editor, entry[0], entry[1]) && !mendTable(editor, entry[0], entry[1])) normalizeNode(entry, options);
  };
  return editor;
}

function isTableAt(editor: Editor, path: Path): boolean {
  if (!Node.has(editor, path)) return false;
  const node = Node.get(editor, path);
  return Element.isElement(node) && node.type === 'table';
}
const isAfterTable = (editor: Editor, [top = 0, ...inner]: Path): boolean =>
  inner.length === 0 && top > 0 && isTableAt(editor, [top - 1]);
const isBeforeTable = (editor: Editor, [top = 0, ...inner]: Path): boolean =>
  inner.length === 0 && isTableAt(editor, [top + 1]);

/** Makes changes that one Undo takes back, and no more. */
function asOneStep(editor: Editor, change: () => unknown): void {
  if (HistoryEditor.isHistoryEditor(editor)) HistoryEditor.withNewBatch(editor, () => void change());
  else change();
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
  const sign = Editor.string(editor, typed).slice(0, -1);
  const [, kind] = starts.find(([pattern]) => pattern.test(sign)) ?? [];
  if (kind === undefined) return false;
  Transforms.delete(editor, { at: typed });
  setKind(editor, kind(sign));
  return true;
}

/** Makes an item that begins with a box a task. */
function startTask(editor: Editor, format: Format): boolean {
  const { selection } = editor;
  const [line, path] = lineAt(editor) ?? [];
  if (format === 'blocks' || selection === null || line?.type !== 'list-item' || path === undefined) return false;
  const typed = { anchor: Editor.start(editor, path), focus: selection.anchor };
  const [, sign] = /^\[([ xX]?)\] $/.exec(Editor.string(editor, typed)) ?? [];
  if (sign === undefined) return false;
  Transforms.delete(editor, { at: typed });
  Transforms.setNodes(editor, { checked: /x/i.test(sign) }, { at: path });
  return true;
}

/** Makes a paragraph that is the fence of a code block, or a line, what it says when Enter is pressed. */
function startBlockByEnter(editor: Editor, format: Format): boolean {
  const { selection } = editor;
  const [line, path] = lineAt(editor) ?? [];
  if (selection === null || line?.type !== 'paragraph' || path === undefined || Range.isExpanded(selection))
    return false;
  const typed = Node.string(line);
  const [, language] = /^(?:```|~~~)([\w#+.-]*)$/.exec(typed) ?? [];
  const isLine = format === 'markdown' && /^(?:-{3,}|\*{3,}|_{3,})$/.test(typed);
  if (language === undefined && !isLine) return false;
  asOneStep(editor, () => {
    Transforms.delete(editor, { at: Editor.range(editor, path) });
    if (language === undefined) return insertBlock(editor, lineBlock());
    setKind(editor, 'code');
    if (language !== '') Transforms.setNodes(editor, { language }, { at: path });
  });
  return true;
}

/** Makes `[text](address)` a link when its last sign is typed. */
function closeLink(editor: Editor): void {
  const { selection } = editor;
  const [line, path] = lineAt(editor) ?? [];
  if (selection === null || path === undefined || line === undefined || ['code', 'source'].includes(line.type)) return;
  const end = selection.anchor;
  const before = Editor.string(editor, { anchor: Editor.start(editor, path), focus: end });
  const [found, text, url] = /(?<!!)\[([^[\]]+)\]\(([^\s()]+)\)$/.exec(before) ?? [];
  if (found === undefined || text === undefined || url === undefined || !isSafeLink(url)) return;
  if (Editor.above(editor, { match: (node) => Element.isElement(node) && node.type === 'link' }) !== undefined) return;
  const from = before.length - found.length;
  const range = textRange(editor, path, from + 1, from + 1 + text.length);
  const marked = Editor.rangeRef(editor, range);
  Editor.withoutNormalizing(editor, () => {
    Transforms.delete(editor, { at: { anchor: range.focus, focus: end } });
    Transforms.delete(editor, { at: textRange(editor, path, from, from + 1) });
    const at = marked.unref();
    if (at === null) return;
    Transforms.wrapNodes(editor, { type: 'link', url, children: [] }, { at, match: Text.isText, split: true });
  });
  Transforms.collapse(editor, { edge: 'end' });
  Transforms.move(editor, { unit: 'offset' });
  // What follows has not the marks of the link.
  editor.marks = {};
}

/** A part of a line, by the letters before its ends. */
function textRange(editor: Editor, path: Path, from: number, to: number): Range {
  const point = (offset: number) => {
    let before = 0;
    for (const [text, at] of Node.texts(Node.get(editor, path))) {
      if (offset <= before + text.text.length) return { path: [...path, ...at], offset: offset - before };
      before += text.text.length;
    }
    return Editor.end(editor, path);
  };
  return { anchor: point(from), focus: point(to) };
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
    const from = before.length - found.length;
    const { anchor: start, focus: first } = textRange(editor, path, from, from + width);
    const last = textRange(editor, path, 0, before.length - width).focus;
    const marked = Editor.rangeRef(editor, { anchor: first, focus: last });
    Transforms.delete(editor, { at: { anchor: last, focus: end } });
    Transforms.delete(editor, { at: { anchor: start, focus: first } });
    const range = marked.unref();
    if (range !== null) Transforms.setNodes(editor, { [mark]: true }, { at: range, match: Text.isText, split: true });
    Editor.removeMark(editor, mark);
    return;
  }
}

/** @returns whether the key means something here */
export function press(editor: Editor, event: Pressed, allowed: readonly Mark[]): boolean {
  const isControl = event.ctrlKey || event.metaKey;
  if (event.key === 'Tab' && !isControl) {
    if (moveInTable(editor, event.shiftKey ? 'previous' : 'next')) return true;
    return event.shiftKey ? (lineAt(editor)?.[1].length ?? 0) > 2 && outdent(editor) : indent(editor);
  }
  const [name] = pressedIn(['text'], event);
  if (name === 'moveUp' || name === 'moveDown') return moveBlock(editor, name === 'moveUp' ? -1 : 1);
  if (name === 'leaveBlock') {
    leaveBlock(editor);
    return true;
  }
  const mark = marks.find((one) => one === name);
  if (mark === undefined || !allowed.includes(mark)) return false;
  if (Editor.marks(editor)?.[mark] === true) Editor.removeMark(editor, mark);
  else Editor.addMark(editor, mark, true);
  return true;
}
