import { Editor, Range, Transforms } from 'slate';
import { setLink } from './commands.js';
import type { ElementNode, Format } from './document/document.js';
import { insertBlocks } from './insert-blocks.js';
import { inBlocks } from './paste/blocks-only.js';
import type { Losses, Pasted } from './paste/pasted.js';
import { readMarkdown } from './paste/read-markdown.js';
import { readPlain } from './paste/read-plain.js';

interface Options {
  readonly format: Format;
  /** Whether the signs of what is pasted mean nothing: the user pressed Shift. */
  readonly isPlain: () => boolean;
  readonly onFiles: (files: readonly File[]) => void;
  /** Stores the images that are in what is pasted. @returns it with their addresses */
  readonly store: (nodes: readonly ElementNode[], losses: Losses) => Promise<readonly ElementNode[]>;
  readonly onPasted: (losses: Losses) => void;
  readonly onFailed: (error: unknown) => void;
}

/** Takes what is pasted or dropped: the text of other programs, Markdown, files, an address over a selected text. */
export function withPasting(editor: Editor, options: Options): Editor {
  // What was copied in an editor.
  editor.insertFragment = (fragment) => insertBlocks(editor, fragment as ElementNode[], true);
  editor.insertTextData = (data) => {
    const html = options.isPlain() ? '' : data.getData('text/html');
    const text = data.getData('text/plain');
    const files = [...data.files];
    // Sheets and Word add a picture of the text.
    if (files.length > 0 && !hasText(html) && text.trim() === '') {
      options.onFiles(files);
      return true;
    }
    const { selection } = editor;
    if (/^https?:\/\/\S+$/.test(text) && selection !== null && Range.isExpanded(selection)) {
      setLink(editor, text);
      return true;
    }
    if (isInCode(editor)) {
      editor.insertText(text.replaceAll(/\r\n?/g, '\n'));
      return true;
    }
    if (options.isPlain()) return insertPlain(editor, text);
    const markdown = html === '' || isOfPlainText(html) ? readMarkdown(text) : undefined;
    if (markdown !== undefined) {
      void insert(editor, options, Promise.resolve(markdown));
      return true;
    }
    if (!hasText(html) && !html.includes('<img')) return insertPlain(editor, text);
    void insert(
      editor,
      options,
      import('./paste/read-html.js').then(({ readHtml }) => readHtml(html, globalThis.location.origin)),
    );
    return true;
  };
  return editor;
}

/** Inserts where the cursor was: the program that reads HTML is loaded when it is used for the first time. */
async function insert(
  editor: Editor,
  { format, store, onPasted, onFailed }: Options,
  reading: Promise<Pasted>,
): Promise<void> {
  const place = editor.selection === null ? undefined : Editor.rangeRef(editor, editor.selection);
  try {
    const read = await reading;
    const pasted = format === 'blocks' ? inBlocks(read) : read;
    const nodes = await store(pasted.nodes, pasted.losses);
    const range = place?.unref();
    if (range) Transforms.select(editor, range);
    insertBlocks(editor, nodes);
    onPasted(pasted.losses);
  } catch (error) {
    onFailed(error);
  }
}

const isInCode = (editor: Editor): boolean =>
  Editor.nodes(editor, { match: (node) => 'type' in node && (node.type === 'code' || node.type === 'source') }).next()
    .done === false;

/** Whether there is a text in HTML, and not an image alone. */
const hasText = (html: string): boolean =>
  html
    .replaceAll(/<!--[^]*?-->|<(style|script|head|title)\b[^]*?<\/\1>|<[^>]*>/gi, '')
    .replaceAll(/&nbsp;|\s+/g, '') !== '';

/** Editors of code write their plain text in colours. */
const isOfPlainText = (html: string): boolean =>
  /<div[^>]*style="(?=[^"]*white-space:\s*pre)(?=[^"]*(?:mono|consol|menlo|courier))/i.test(
    html.replaceAll('&quot;', ''),
  );

/** @returns whether there is a text */
function insertPlain(editor: Editor, text: string): boolean {
  if (text !== '') insertBlocks(editor, readPlain(text).nodes);
  return text !== '';
}
