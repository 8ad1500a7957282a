import type { BaseEditor } from 'slate';
import type { HistoryEditor } from 'slate-history';
import type { ReactEditor } from 'slate-react';

export const marks = ['bold', 'italic', 'underline', 'strikethrough', 'code'] as const;
export type Mark = (typeof marks)[number];

/** A text, as Strapi stores it in blocks. */
export type TextNode = {
  readonly type?: 'text';
  readonly text: string;
  /** It is Markdown, which is written as it stands: HTML, images in a line. */
  readonly source?: true;
  /** While it is searched: it is shown as found, and not stored. */
  readonly found?: true;
  /** While it is compared with another version that does not have it, and not stored. */
  readonly differs?: 'del' | 'ins' | 'mark';
} & { readonly [M in Mark]?: boolean };

/** A block, a link, or the item of a list. Blocks that are not edited may have anything else. */
export interface ElementNode {
  readonly type: string;
  readonly children: (ElementNode | TextNode)[];
  /** Of a heading: 1 to 6. */
  readonly level?: number;
  /** Of a list. */
  readonly format?: string;
  /** Of a list in a list. */
  readonly indentLevel?: number;
  /** Of code. */
  readonly language?: string;
  /** Of a link. */
  readonly url?: string;
  /** In Markdown: of a link. */
  readonly title?: string;
  readonly image?: Image;
  /** In Markdown: of the columns of a table. */
  readonly align?: readonly Alignment[];
  /** In Markdown: of an item of a list of tasks. */
  readonly checked?: boolean;
  /** In Markdown: of a list that begins with another number than 1. */
  readonly start?: number;
  /** In Markdown: its line breaks are those of the source, which many sites show as spaces. */
  readonly soft?: true;
  /** A block that is only kept. */
  readonly kept?: unknown;
}

export type Alignment = 'left' | 'center' | 'right' | null;

/** In Markdown: rows with cells, of which the first row is the head. */
export const tableBlock = (
  rows: readonly (readonly ElementNode['children'][])[],
  align?: readonly Alignment[],
): ElementNode => ({
  type: 'table',
  align: (rows[0] ?? []).map((_, column) => align?.[column] ?? null),
  children: rows.map((cells) => ({
    type: 'table-row',
    children: cells.map((children) => ({ type: 'table-cell', children: [...children] })),
  })),
});

/** In Markdown: a line across the text. */
export const lineBlock = (): ElementNode => ({ type: 'line', children: [{ type: 'text', text: '' }] });

export interface Image {
  readonly url: string;
  readonly alternativeText?: string | null;
  /** In Markdown: its title. */
  readonly caption?: string | null;
  /** In pixels. In Markdown: only if it is not shown as wide as it is. */
  readonly width?: number | null;
  readonly height?: number | null;
}

declare module 'slate' {
  interface CustomTypes {
    Editor: BaseEditor & ReactEditor & HistoryEditor;
    Element: ElementNode;
    Text: TextNode;
  }
}

/** A value that is opened to be written. What is not edited is written as it was. */
export interface OpenDocument {
  readonly nodes: ElementNode[];
  readonly write: (nodes: readonly ElementNode[]) => string;
}

export const isText = (node: ElementNode | TextNode): node is TextNode => 'text' in node;

export const paragraph = (text = ''): ElementNode => ({ type: 'paragraph', children: [{ type: 'text', text }] });

export type Format = 'blocks' | 'markdown';

export const imageNode = (image: Image): ElementNode => ({
  type: 'image',
  image,
  children: [{ type: 'text', text: '' }],
});

/**
 * An image of a file of the library. In `blocks` it keeps a copy of what is known of the file, like that of Strapi's
 * editor, which has to have formats.
 */
export const imageBlock = (file: Image & { readonly formats?: unknown }, format: Format): ElementNode =>
  imageNode(
    format === 'blocks'
      ? ({ ...file, formats: file.formats ?? {} } as Image)
      : { url: file.url, alternativeText: file.alternativeText ?? '' },
  );

/** Nothing was written into it. */
export const isEmpty = (nodes: readonly ElementNode[]): boolean =>
  nodes.every(
    ({ type, children }) => type === 'paragraph' && children.every((node) => isText(node) && node.text === ''),
  );
