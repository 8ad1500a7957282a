import { Editor, Element, Node, Range, Transforms, type Text, type NodeEntry, type Path } from 'slate';

/** Where a text has these letters, in any case; a match may have several marks, but is in one block. */
export function matchesIn(editor: Editor, search: string): readonly Range[] {
  if (search === '') return [];
  const lines = Editor.nodes(editor, { at: [], match: (node) => isLine(editor, node), mode: 'lowest' });
  return [...lines].flatMap(([line, path]) => matchesInLine(line, path, search.toLowerCase()));
}

const isLine = (editor: Editor, node: Node): boolean =>
  Element.isElement(node) && Editor.isBlock(editor, node) && !editor.isVoid(node) && Editor.hasInlines(editor, node);

function matchesInLine(line: Node, path: Path, search: string): readonly Range[] {
  const texts = [...Node.texts(line)];
  const letters = texts.map(([{ text }]) => text).join('');
  // Of some letters the other case is longer: then only the letters as they are written are found.
  const lower = letters.toLowerCase().length === letters.length ? letters.toLowerCase() : letters;
  const found: Range[] = [];
  for (let start = lower.indexOf(search); start !== -1; start = lower.indexOf(search, start + search.length))
    found.push({
      anchor: pointAt(texts, path, start, 'start'),
      focus: pointAt(texts, path, start + search.length, 'end'),
    });
  return found;
}

/**
 * The point at a letter of a line. Between two texts the start of a match is in the later one, and its end in the
 * earlier one.
 */
function pointAt(texts: readonly NodeEntry<Text>[], path: Path, at: number, edge: 'start' | 'end') {
  let before = 0;
  for (const [{ text }, inner] of texts) {
    const end = before + text.length;
    if (edge === 'start' ? at < end : at <= end) return { path: [...path, ...inner], offset: at - before };
    before = end;
  }
  throw new Error(`The line has no letter ${at}`);
}

/** What is drawn as found in an element. */
export const foundIn = (
  editor: Editor,
  [node, path]: NodeEntry,
  search: string,
): (Range & { readonly found: true })[] =>
  search !== '' && isLine(editor, node)
    ? matchesInLine(node, path, search.toLowerCase()).map((match) => ({ ...match, found: true }))
    : [];

/** Replaces matches; what is written has the marks of the first letter of each. One Undo takes all of it back. */
export function replace(editor: Editor, matches: readonly Range[], text: string): void {
  Editor.withoutNormalizing(editor, () => {
    // From the end: the places of those before it stay as they are.
    for (const at of matches.toReversed()) {
      const start = Range.start(at);
      Transforms.insertText(editor, text, { at: start });
      const end = { path: start.path, offset: start.offset + text.length };
      const shift = Range.end(at).path.every((step, index) => step === start.path[index]) ? text.length : 0;
      const last = Range.end(at);
      Transforms.delete(editor, { at: { anchor: end, focus: { ...last, offset: last.offset + shift } } });
    }
  });
}
