import { Node, type Path, type Range } from 'slate';
import { differenceOf } from '../form/compare/difference.js';
import { runsOf } from '../form/compare/fold.js';
import { isText, type ElementNode, type TextNode } from './document/document.js';

/** Says what becomes of words that another version of a text does not have. */
export type DifferenceMark = 'del' | 'ins' | 'mark';

/** A text beside another version of it: without the blocks that are far from what differs, and with its own words. */
export interface ComparedDocument {
  readonly nodes: ElementNode[];
  /** The words that only this version has, by the path of their text, as `keyOf` writes it. */
  readonly own: ReadonlyMap<string, readonly Range[]>;
}

export const keyOf = (path: Path): string => path.join();

/** A text of a document, and where its letters begin among those of all. */
interface Letters {
  readonly path: Path;
  readonly from: number;
  readonly to: number;
}

/** All letters of a document, with a line break between blocks. */
function lettersOf(nodes: readonly ElementNode[]): { readonly text: string; readonly letters: readonly Letters[] } {
  const letters: Letters[] = [];
  let text = '';
  let line: string | undefined;
  for (const [{ text: own }, path] of Node.texts({ children: [...nodes] } as ElementNode)) {
    const next = lineOf(nodes, path);
    if (line !== undefined && next !== line) text += '\n';
    line = next;
    letters.push({ path, from: text.length, to: text.length + own.length });
    text += own;
  }
  return { text, letters };
}

/** The block that a text is in: its letters are one line with those of its links. */
function lineOf(nodes: readonly ElementNode[], path: Path): string {
  const around = path.slice(0, -1);
  const parent = Node.get({ children: [...nodes] } as ElementNode, around);
  return keyOf('type' in parent && parent.type === 'link' ? around.slice(0, -1) : around);
}

/** @param foldOf what stands in place of so many blocks that both versions have */
export function comparedDocument(
  nodes: readonly ElementNode[],
  other: readonly ElementNode[],
  foldOf: (count: number) => string,
): ComparedDocument {
  const { text, letters } = lettersOf(nodes);
  const spans: { readonly from: number; readonly to: number }[] = [];
  let at = 0;
  for (const piece of differenceOf(text, lettersOf(other).text).before) {
    if (piece.isOwn) spans.push({ from: at, to: at + piece.text.length });
    at += piece.text.length;
  }
  const isChanged = nodes.map((_, block) => {
    const inside = letters.filter(({ path }) => path[0] === block);
    const [from, to] = [inside[0]?.from ?? 0, inside.at(-1)?.to ?? 0];
    return spans.some((span) => span.from <= to && span.to >= from);
  });
  const shown: ElementNode[] = [];
  /** Where blocks are after those before them were left out. */
  const places = new Map<number, number>();
  const runs = isChanged.some(Boolean) ? runsOf(isChanged) : [{ from: 0, to: nodes.length, isShown: true }];
  for (const { from, to, isShown } of runs) {
    if (isShown)
      for (const [index, node] of nodes.slice(from, to).entries()) {
        places.set(from + index, shown.length);
        shown.push(node);
      }
    else shown.push({ type: 'fold', children: [{ type: 'text', text: foldOf(to - from) }] });
  }
  const own = new Map<string, readonly Range[]>();
  for (const { path, from, to } of letters) {
    const place = places.get(path[0] ?? 0);
    if (place === undefined) continue;
    const moved = [place, ...path.slice(1)];
    const ranges = spans
      .map((span) => ({ start: Math.max(span.from, from) - from, end: Math.min(span.to, to) - from }))
      .filter(({ start, end }) => start < end)
      .map(({ start, end }) => ({ anchor: { path: moved, offset: start }, focus: { path: moved, offset: end } }));
    if (ranges.length > 0) own.set(keyOf(moved), ranges);
  }
  return { nodes: shown, own };
}

/** What is drawn as its own in a text. */
export const ownIn = (
  own: ComparedDocument['own'],
  node: ElementNode | TextNode,
  path: Path,
  differs: DifferenceMark,
): (Range & { readonly differs: DifferenceMark })[] =>
  isText(node) ? (own.get(keyOf(path)) ?? []).map((range) => ({ ...range, differs })) : [];
