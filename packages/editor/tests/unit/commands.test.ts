import { describe, expect, test } from '@jest/globals';
import { encodeQuery } from '@content-service/client/query';
import {
  fitting,
  foundQuery,
  knownOf,
  MAX_FOUND,
  searchedTypes,
  type Found,
} from '../../src/browser/model/commands/palette.js';
import {
  ariaShortcut,
  isSingle,
  pressedIn,
  shortcutNames,
  shortcuts,
  writeShortcut,
  type ShortcutScope,
} from '../../src/browser/model/commands/shortcuts.js';
import { english } from '../../src/browser/language/english/english.js';
import { article, content } from './content.js';

const page: readonly ShortcutScope[] = ['everywhere', 'list', 'form'];
const press = (key: string, ...held: readonly ('ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey')[]) =>
  ({
    key,
    ...Object.fromEntries(
      ['ctrlKey', 'metaKey', 'shiftKey', 'altKey'].map((name) => [name, held.some((one) => one === name)]),
    ),
  }) as Parameters<typeof pressedIn>[1];

describe('a key', () => {
  test.each([
    ['k', press('k', 'ctrlKey'), ['palette']],
    ['k on a Mac', press('k', 'metaKey'), ['palette']],
    ['k alone', press('k'), ['previousPage']],
    ['K alone', press('K', 'shiftKey'), []],
    ['s', press('s', 'ctrlKey'), ['save']],
    ['S with Shift', press('S', 'ctrlKey', 'shiftKey'), ['publish']],
    ['s with AltGr', press('s', 'ctrlKey', 'altKey'), []],
    ['a question mark, with Shift or without', press('?', 'shiftKey'), ['keys']],
    ['a slash that is typed with Shift', press('/', 'shiftKey'), ['search']],
    ['another letter', press('q', 'ctrlKey'), []],
  ])('%s stands for what the table says', (_, pressed, expected) => {
    expect(pressedIn(page, pressed)).toEqual(expected);
  });

  test('stands for something else in a text', () => {
    expect(pressedIn(['text'], press('k', 'ctrlKey'))).toEqual(['link']);
    expect(pressedIn(['text'], press('ArrowUp', 'altKey'))).toEqual(['moveUp']);
  });

  test('stands for one thing only in each scope', () => {
    for (const scopes of [page, ['text']] as const) {
      const keys = shortcutNames
        .filter((name) => scopes.some((scope) => scope === shortcuts[name].scope))
        .map((name) => ariaShortcut(name, false));
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  test('without Ctrl is one that fields take as text', () => {
    expect(shortcutNames.filter((name) => isSingle(name) && shortcuts[name].scope !== 'text')).toEqual([
      'keys',
      'search',
      'create',
      'nextPage',
      'previousPage',
    ]);
  });

  test('is written as on the keyboard', () => {
    const { keyNames } = english.keys;
    expect(writeShortcut('publish', keyNames, false)).toBe('Ctrl+Shift+S');
    expect(writeShortcut('publish', keyNames, true)).toBe('⌘⇧S');
    expect(writeShortcut('moveUp', keyNames, false)).toBe('Alt+↑');
    expect(writeShortcut('create', keyNames, false)).toBe('n');
    expect(ariaShortcut('save', true)).toBe('Meta+s');
  });
});

describe('the palette', () => {
  const labels = ['Articles', 'New: Article', 'Authors', 'Données à jour', 'Colors: Dark'];
  test.each([
    ['art', ['Articles', 'New: Article']],
    ['new art', ['New: Article']],
    ['donnees', ['Données à jour']],
    ['dark colors', ['Colors: Dark']],
    ['nothing', []],
  ])('finds by %s what has all words, first what begins so', (text, expected) => {
    expect(fitting(labels, text, (label) => label)).toEqual(expected);
  });

  test('searches lists that the user may see, and no single pages', () => {
    const single = { ...article, kind: 'singleType' as const };
    const hidden = { ...article, actions: ['findOne'] as const };
    expect(searchedTypes([single, hidden, article])).toEqual([article]);
  });

  test('asks for few entries, without their number', () => {
    expect(decodeURIComponent(encodeQuery(foundQuery(article, 'sour')))).toBe(
      'fields[0]=id&fields[1]=title&fields[2]=publishedAt&fields[3]=locale&filters[title][$containsi]=sour' +
        '&sort=updatedAt:desc&publicationState=preview&locale=all&pagination[pageSize]=5&pagination[withCount]=false',
    );
  });

  test('asks a type again only where a shorter text may have more', () => {
    const author = content.contentTypes.find(({ uid }) => uid === 'api::author.author');
    const full = Array.from({ length: MAX_FOUND }, (_, index) => `Sour ${index}`);
    const found: Found<string> = {
      text: 'Sou',
      entries: new Map([
        [article.uid, full],
        [author!.uid, ['Sour Ada', 'Souad']],
      ]),
    };
    const known = (type: typeof article, text: string) => knownOf(found, type, text, (title) => title);
    expect(known(article, 'sour')).toBeUndefined();
    expect(known(author!, 'sour')).toEqual(['Sour Ada']);
    expect(known(author!, 'so')).toBeUndefined();
    expect(known({ ...article, uid: 'api::tag.tag' }, 'sour')).toBeUndefined();
  });
});
