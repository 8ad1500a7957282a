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
  const differences = differencesOf({ components: [] }, model, versions);

  test('is decided by passage, where each has by default what one of them changed', () => {
    expect(differences.map(({ passages }) => passages?.filter(({ by }) => by !== undefined))).toEqual([
      [
        { mine: ['One of mine\n\n'], theirs: ['One\n\n'], by: 'me' },
        { mine: ['Three\n\n'], theirs: ['Three of theirs\n\n'], by: 'them' },
        { mine: ['Five, mine'], theirs: ['Five, theirs'], by: 'both' },
      ],
    ]);
    const kept = new Set(decisionsIn(versions, differences).flatMap(({ key, by }) => (by === 'them' ? [] : key)));
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

describe('components that two people changed', () => {
  const text = (name: string, type = 'string'): Attribute => ({ ...attribute(type), name, label: name });
  const seo = {
    uid: 'shared.seo',
    displayName: 'SEO',
    attributes: [text('title'), text('description', 'text'), text('robots')],
  };
  const model: Model = {
    uid: 'api::note.note',
    attributes: [
      {
        ...attribute('component'),
        name: 'seo',
        label: 'SEO',
        multiple: false,
        components: ['shared.seo'],
      } as Attribute,
      { ...attribute('component'), name: 'all', label: 'All', multiple: true, components: ['shared.seo'] } as Attribute,
    ],
  };
  const part = (id: number, values: Readonly<Record<string, string>>) => ({
    key: `${id}`,
    component: 'shared.seo',
    id,
    values: { title: 'One', description: 'Two', robots: '', ...values },
  });
  const differencesIn = (versions: Parameters<typeof differencesOf>[2]) =>
    differencesOf({ components: [seo] }, model, versions);

  test('are decided by attribute, where each has by default what one of them changed', () => {
    const versions = {
      base: { seo: [part(1, {})], all: [part(2, {}), part(3, {})] },
      mine: { seo: [part(1, { title: 'Mine' })], all: [part(2, {}), part(3, { title: 'Mine', robots: 'mine' })] },
      theirs: {
        seo: [part(1, { robots: 'theirs' })],
        all: [part(2, { title: 'Theirs' }), part(3, { robots: 'theirs' })],
      },
    };
    const differences = differencesIn(versions);
    const decisions = decisionsIn(versions, differences);
    expect(decisions.map(({ labels, by, mine, theirs }) => [labels.join(' · '), by, mine, theirs])).toEqual([
      ['SEO · title', 'me', 'Mine', 'One'],
      ['SEO · robots', 'them', '', 'theirs'],
      ['All 1 · title', 'them', 'One', 'Theirs'],
      ['All 2 · title', 'me', 'Mine', 'One'],
      ['All 2 · robots', 'both', 'mine', 'theirs'],
    ]);
    const kept = new Set(decisions.flatMap(({ key, by }) => (by === 'them' ? [] : key)));
    expect(mergeDecided(versions, differences, kept)).toEqual({
      seo: [part(1, { title: 'Mine', robots: 'theirs' })],
      all: [part(2, { title: 'Theirs' }), part(3, { title: 'Mine', robots: 'mine' })],
    });
    expect(mergeDecided(versions, differences, new Set())).toEqual(versions.theirs);
    expect(mergeDecided(versions, differences, new Set(decisions.map(({ key }) => key)))).toEqual(versions.mine);
  });

  test('are decided as a whole where one of them was added, removed or moved', () => {
    const base = { seo: [part(1, {})], all: [part(2, {}), part(3, {})] };
    const theirs = { ...base, all: [part(2, { title: 'Theirs' }), part(3, {})] };
    const { id: _, ...added } = part(4, {});
    for (const all of [
      [part(3, {}), part(2, {})],
      [part(2, {})],
      [part(2, {}), part(3, {}), added],
      [part(2, {}), added],
    ]) {
      const versions = { base, mine: { ...base, all }, theirs };
      const decisions = decisionsIn(versions, differencesIn(versions));
      expect(decisions.map(({ key, by }) => [key, by])).toEqual([['all', 'both']]);
    }
  });
});
