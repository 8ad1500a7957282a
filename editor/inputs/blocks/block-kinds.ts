import { fromMarkdown, toMarkdown } from './inline.js';

/** A block, as Strapi stores it. */
export type Block = Readonly<Record<string, unknown>>;

interface Kind {
  /** What a block of this kind has besides its children. */
  readonly fixed: Block;
  /** The text that is edited; undefined if it would not stand for exactly these children. */
  readonly read: (children: unknown) => string | undefined;
  readonly write: (text: string) => readonly unknown[];
}

const markdown = { read: toMarkdown, write: fromMarkdown };

/** Code is plain text. */
const code: Omit<Kind, 'fixed'> = {
  read: (children) => {
    const text: unknown = Array.isArray(children) && children.length === 1 ? textOnly(children[0]) : undefined;
    return typeof text === 'string' ? text : undefined;
  },
  write: (text) => [{ type: 'text', text }],
};

function textOnly(node: unknown): unknown {
  const { type, text, ...others } = (node ?? {}) as Block;
  return type === 'text' && Object.values(others).every((mark) => mark === false) ? text : undefined;
}

/** Each line is an item, in Markdown; lists within lists are not edited as text. */
const list: Omit<Kind, 'fixed'> = {
  read: (children) => {
    if (!Array.isArray(children)) return undefined;
    const lines = (children as readonly Block[]).map(({ type, children: inner, ...others }) =>
      type === 'list-item' && Object.keys(others).length === 0 ? toMarkdown(inner) : undefined,
    );
    return lines.every((line) => line !== undefined && !line.includes('\n')) ? lines.join('\n') : undefined;
  },
  write: (text) => text.split('\n').map((line) => ({ type: 'list-item', children: fromMarkdown(line) })),
};

/** The kinds of blocks that are edited as text. */
export const kinds: Readonly<Record<string, Kind>> = {
  paragraph: { fixed: { type: 'paragraph' }, ...markdown },
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((level) => [`heading${level}`, { fixed: { type: 'heading', level }, ...markdown }]),
  ),
  quote: { fixed: { type: 'quote' }, ...markdown },
  unordered: { fixed: { type: 'list', format: 'unordered' }, ...list },
  ordered: { fixed: { type: 'list', format: 'ordered' }, ...list },
  code: { fixed: { type: 'code' }, ...code },
};

/** The name of a block's kind; undefined for other kinds, and for blocks with more than their children. */
export function kindOf(block: Block): string | undefined {
  const isSame = ({ fixed }: Kind): boolean =>
    Object.keys(block).length === Object.keys(fixed).length + 1 &&
    'children' in block &&
    Object.entries(fixed).every(([name, value]) => block[name] === value);
  return Object.entries(kinds).find(([, kind]) => isSame(kind))?.[0];
}

/** The text of a block; undefined if it cannot be edited as text. */
export const textOf = (block: Block): string | undefined => kinds[kindOf(block) ?? '']?.read(block['children']);

export const blockOf = (kind: string, text: string): Block => ({
  ...kinds[kind]?.fixed,
  children: kinds[kind]?.write(text) ?? [],
});

/** The image in a block; undefined: it has none. */
export function imageIn({
  type,
  image,
}: Block): { readonly url: string; readonly alternativeText: string } | undefined {
  const { url, alternativeText } = (image ?? {}) as Block;
  if (type !== 'image' || typeof url !== 'string') return undefined;
  return { url, alternativeText: typeof alternativeText === 'string' ? alternativeText : '' };
}

/** The block of a file of the library: like Strapi's editor, it keeps a copy of what is known of the file, which has to have formats. */
export const blockOfImage = (file: { readonly formats?: unknown }): Block => ({
  type: 'image',
  image: { ...file, formats: file.formats ?? {} },
  children: [{ type: 'text', text: '' }],
});
