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
  readonly image?: Image;
  readonly table?: Table;
  /** In Markdown: of a list that begins with another number than 1. */
  readonly start?: number;
  /** In Markdown: its line breaks are those of the source, which many sites show as spaces. */
  readonly soft?: true;
  /** A block that is only kept. */
  readonly kept?: unknown;
}

/** In Markdown: the first row is the head, and each cell a line of Markdown. */
export interface Table {
  /** Of the columns. */
  readonly align: readonly ('left' | 'center' | 'right' | null)[];
  readonly rows: readonly (readonly string[])[];
}

export const tableBlock = (table: Table): ElementNode => ({
  type: 'table',
  table,
  children: [{ type: 'text', text: '' }],
});

export interface Image {
  readonly url: string;
  readonly alternativeText?: string | null;
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

/** The block of a file of the library: like Strapi's editor, it keeps a copy of what is known of the file, which has to have formats. */
export const imageBlock = (file: Image & { readonly formats?: unknown }): ElementNode => ({
  type: 'image',
  image: { ...file, formats: file.formats ?? {} } as Image,
  children: [{ type: 'text', text: '' }],
});

/** Nothing was written into it. */
export const isEmpty = (nodes: readonly ElementNode[]): boolean =>
  nodes.every(
    ({ type, children }) => type === 'paragraph' && children.every((node) => isText(node) && node.text === ''),
  );
