import { describe, expect, test } from '@jest/globals';
import { createEditor, type Editor } from 'slate';
import { withHistory, type HistoryEditor } from 'slate-history';
import { openMarkdown } from '../../src/browser/writing/document/markdown.js';
import type { ElementNode } from '../../src/browser/writing/document/document.js';
import { matchesIn, replace } from '../../src/browser/writing/search/matches.js';
import { withTyping } from '../../src/browser/writing/with-typing.js';

/** Markdown in an editor, and how it is written then. */
function open(markdown: string): { readonly editor: Editor & HistoryEditor; readonly write: () => string } {
  const document = openMarkdown(markdown);
  if (document === undefined) throw new Error('It is no text');
  const editor = withTyping(withHistory(createEditor()), 'markdown');
  editor.children = document.nodes;
  return { editor, write: () => document.write(editor.children as ElementNode[]) };
}

describe('find and replace', () => {
  test.each<[what: string, markdown: string, search: string, by: string, expected: string]>([
    ['letters in any case', 'Rye and rye', 'rye', 'Oat', 'Oat and Oat'],
    ['letters with several marks', 'see **the m**ill', 'them', 'x', 'see **the m**ill'],
    ['the marks of the first letter', 'see **the m**ill now', 'e mill', 'at', 'see **that** now'],
    ['text in a link and beside it', 'mill [the mill](/m) mill', 'mill', 'road', 'road [the road](/m) road'],
    [
      'text in lists, quotes, headings and code',
      '# a\n\n- a\n\n> a\n\n```\na\n```',
      'a',
      'b',
      '# b\n\n- b\n\n> b\n\n```\nb\n```',
    ],
    ['cells', '| a | b |\n| --- | --- |\n| a | c |', 'a', 'x', '| x | b |\n| --- | --- |\n| x | c |'],
    ['what contains what it is replaced by', 'aaa', 'a', 'aa', 'aaaaaa'],
    ['nothing', 'a b a', ' b', '', 'a a'],
    ['HTML as it is shown, and no address', '<div>mill</div>\n\n[a](/mill)', 'mill', 'x', '<div>x</div>\n\n[a](/mill)'],
    ['no letters of two lines', 'a\n\nb', 'ab', 'x', 'a\n\nb'],
  ])('replaces %s', (_, markdown, search, by, expected) => {
    const { editor, write } = open(markdown);
    replace(editor, matchesIn(editor, search), by);
    expect(write()).toBe(expected);
  });

  test('is undone at once', async () => {
    const { editor, write } = open('one **two** one\n\n- one');
    replace(editor, matchesIn(editor, 'one'), 'three');
    expect(write()).toBe('three **two** three\n\n- three');
    await Promise.resolve();
    editor.undo();
    expect(write()).toBe('one **two** one\n\n- one');
  });
});
