import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decisionsIn, differencesOf, mergeDecided } from '../../src/browser/form/compare/compare.js';
import { decided, passagesOf } from '../../src/browser/form/compare/passages.js';
import type { Attribute, Model } from '../../src/browser/model/schema.js';
import { comparedDocument } from '../../src/browser/writing/compared-document.js';
import { openMarkdown } from '../../src/browser/writing/document/markdown.js';

const attribute = (type: string): Attribute =>
  ({ name: 'body', label: 'Body', type, read: true, create: true, update: true, required: false }) as Attribute;
const markdown = (...paragraphs: readonly string[]): string => paragraphs.join('\n\n');

describe('a text that two people changed', () => {
  const model: Model = { uid: 'api::note.note', attributes: [attribute('richtext')] };
  const versions = {
    base: { body: markdown('One', 'Two', 'Three', 'Four', 'Five') },
    mine: { body: markdown('One of mine', 'Two', 'Three', 'Four', 'Five, mine') },
    theirs: { body: markdown('One', 'Two', 'Three of theirs', 'Four', 'Five, theirs') },
  };
  const differences = differencesOf(model, versions);

  test('is decided by passage, where each has by default what one of them changed', () => {
    expect(differences.map(({ passages }) => passages?.filter(({ by }) => by !== undefined))).toEqual([
      [
        { mine: ['One of mine\n\n'], theirs: ['One\n\n'], by: 'me' },
        { mine: ['Three\n\n'], theirs: ['Three of theirs\n\n'], by: 'them' },
        { mine: ['Five, mine'], theirs: ['Five, theirs'], by: 'both' },
      ],
    ]);
    const kept = new Set(decisionsIn(differences).flatMap(({ key, by }) => (by === 'them' ? [] : key)));
    const merged = markdown('One of mine', 'Two', 'Three of theirs', 'Four', 'Five, mine');
    expect(mergeDecided(versions, differences, kept)).toEqual({ body: merged });
    expect(mergeDecided(versions, differences, new Set())).toEqual(versions.theirs);
  });

  test('keeps a paragraph that one adds and one that the other takes out apart', () => {
    const values = {
      base: markdown('One', 'Two', 'Three', 'Four'),
      mine: markdown('One', 'New', 'Two', 'Three', 'Four'),
      theirs: markdown('One', 'Two', 'Four'),
    };
    const passages = passagesOf(attribute('richtext'), values) ?? [];
    expect(passages.flatMap(({ by }) => by ?? [])).toEqual(['me', 'them']);
    const merged = decided(attribute('richtext'), passages, (at) => passages[at]?.by === 'me');
    expect(merged).toBe(markdown('One', 'New', 'Two', 'Four'));
  });

  test('is decided as a whole where it differs in one place, and where it is no text', () => {
    const values = { base: 'One', mine: 'Mine', theirs: 'Theirs' };
    for (const type of ['richtext', 'text', 'string', 'json'])
      expect(passagesOf(attribute(type), values)).toBeUndefined();
    expect(passagesOf(attribute('blocks'), { base: '', mine: '[', theirs: '[]' })).toBeUndefined();
  });

  test('is that of one of them if all passages are, whatever they wrote', () => {
    const words = fc.array(fc.constantFrom('One', 'Two', 'Three'), { maxLength: 6 });
    const block = (text: string): object => ({ type: 'paragraph', children: [{ type: 'text', text }] });
    const forms: Readonly<Record<string, (list: readonly string[]) => string>> = {
      richtext: (list) => markdown(...list),
      text: (list) => list.join('\n'),
      blocks: (list) => (list.length === 0 ? '' : JSON.stringify(list.map(block), undefined, 2)),
    };
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(forms)), words, words, words, (type, base, mine, theirs) => {
        const form = forms[type] ?? String;
        const passages = passagesOf(attribute(type), { base: form(base), mine: form(mine), theirs: form(theirs) });
        if (passages === undefined) return;
        expect(decided(attribute(type), passages, () => true)).toBe(form(mine));
        expect(decided(attribute(type), passages, () => false)).toBe(form(theirs));
      }),
    );
  });
});

describe('a text as it looks beside another version', () => {
  const nodesOf = (text: string) => openMarkdown(text)?.nodes ?? [];
  const compare = (text: string, other: string) => {
    const { nodes, own } = comparedDocument(nodesOf(text), nodesOf(other), (count) => `<${count}>`);
    return { blocks: nodes.map(({ type }) => type), own: Object.fromEntries(own) };
  };

  test('marks its own words in the elements that have them', () => {
    const text = '# Rye bread\n\nIt is **very** old, [they say](/a).\n\n- One\n- Two';
    expect(compare(text, text)).toEqual({ blocks: ['heading', 'paragraph', 'list'], own: {} });
    const { own } = compare(text, text.replace('very', 'quite').replace('Two', 'Three'));
    expect(own).toEqual({
      '1,1': [{ anchor: { path: [1, 1], offset: 0 }, focus: { path: [1, 1], offset: 4 } }],
      '2,1,0': [{ anchor: { path: [2, 1, 0], offset: 0 }, focus: { path: [2, 1, 0], offset: 3 } }],
    });
  });

  test('leaves out blocks that are far from these', () => {
    const text = markdown(...Array.from({ length: 20 }, (_, index) => `Paragraph ${index}`));
    const { blocks, own } = compare(text, text.replace('Paragraph 18', 'Paragraph eighteen'));
    expect(blocks).toEqual(['fold', 'paragraph', 'paragraph', 'paragraph']);
    expect(Object.keys(own)).toEqual(['2,0']);
  });
});
