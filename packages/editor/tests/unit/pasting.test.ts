import { describe, expect, test } from '@jest/globals';
import { english } from '../../src/browser/language/english/english.js';
import { openBlocks } from '../../src/browser/writing/document/blocks.js';
import { openMarkdown } from '../../src/browser/writing/document/markdown.js';
import { inBlocks } from '../../src/browser/writing/paste/blocks-only.js';
import { describeLosses, type Pasted } from '../../src/browser/writing/paste/pasted.js';
import { readHtml } from '../../src/browser/writing/paste/read-html.js';
import { readMarkdown } from '../../src/browser/writing/paste/read-markdown.js';
import { readPlain } from '../../src/browser/writing/paste/read-plain.js';
import { clipboards } from '../clipboards/clipboards.js';
import type { Clipboard } from '../clipboards/clipboard.js';
import { summaryOf } from '../clipboards/summary.js';

const read = ({ html, text = '' }: Clipboard): Pasted =>
  html === undefined ? (readMarkdown(text) ?? readPlain(text)) : readHtml(html, 'https://content.example.org');

describe('what arrives from the clipboard of', () => {
  test.each(clipboards.map((clipboard) => [clipboard.name, clipboard] as const))('%s', (_, clipboard) => {
    const { nodes, losses } = read(clipboard);
    expect(openMarkdown('').write(nodes)).toBe(clipboard.markdown);
    expect(describeLosses(english.writing.lost, losses)).toBe(clipboard.losses ?? '');

    const blocks = inBlocks(read(clipboard)).nodes;
    const summaries = blocks.map(summaryOf);
    expect(summaries).toEqual(clipboard.blocks ?? nodes.map(summaryOf));
    // Each is a block of Strapi's.
    const stored = openBlocks(JSON.stringify(blocks))?.nodes ?? [];
    expect(stored.filter(({ type }) => type === 'kept')).toEqual([]);
  });
});
