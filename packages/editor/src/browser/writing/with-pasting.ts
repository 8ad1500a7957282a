import { Editor, Range, Transforms } from 'slate';
import { setLink } from './commands.js';
import type { Mark } from './document/document.js';
import { readHtml } from './document/html.js';

/** Takes what is pasted or dropped: files, the text of other programs, an address over a selected text. */
export function withPasting(
  editor: Editor,
  allowed: readonly Mark[],
  onFiles: (files: readonly File[]) => void,
): Editor {
  const { insertTextData } = editor;
  editor.insertTextData = (data) => {
    const files = [...data.files];
    if (files.length > 0) {
      onFiles(files);
      return true;
    }
    const text = data.getData('text/plain');
    const { selection } = editor;
    if (/^https?:\/\/\S+$/.test(text) && selection !== null && Range.isExpanded(selection)) {
      setLink(editor, text);
      return true;
    }
    const html = data.getData('text/html');
    const [line] = Editor.nodes(editor, {
      match: (node) => 'type' in node && (node.type === 'code' || node.type === 'source'),
    });
    const blocks = html === '' || line !== undefined ? [] : readHtml(html, allowed);
    if (blocks.length === 0) return insertTextData(data);
    Transforms.insertFragment(editor, blocks);
    return true;
  };
  return editor;
}
