import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  adopt,
  forgetOldUnsaved,
  forgetUnsaved,
  keepUnsaved,
  placeOf,
  readUnsaved,
  unsavedName,
  type Typed,
  type Unsaved,
} from '../../src/browser/unsaved/unsaved-texts.js';

/** As a browser keeps texts. */
class Kept {
  [name: string]: unknown;
  getItem(name: string): string | null {
    return (this[name] as string | undefined) ?? null;
  }
  setItem(name: string, text: string): void {
    this[name] = text;
  }
  removeItem(name: string): void {
    Reflect.deleteProperty(this, name);
  }
}

const names = ['localStorage', 'sessionStorage', 'dispatchEvent'] as const;
const define = (name: (typeof names)[number], value: unknown): unknown =>
  Object.defineProperty(globalThis, name, { configurable: true, value });
/** Another tab of the same browser. */
const openTab = (): unknown => define('sessionStorage', new Kept());

let kept = new Kept();
beforeEach(() => {
  kept = new Kept();
  define('localStorage', kept);
  define('dispatchEvent', () => true);
  openTab();
});
afterEach(() => {
  for (const name of names) Reflect.deleteProperty(globalThis, name);
});

const now = new Date().toISOString();
const unsaved = (title: string, at = now): Unsaved => ({
  values: { title },
  title,
  address: '/content/articles/new',
  at,
});
const form = (changes: Partial<Typed> = {}): Typed => ({ user: 1, path: 'articles', id: 7, more: ['', 0], ...changes });

test('what is typed into a stored entry is there in every tab, for its user', () => {
  keepUnsaved(unsavedName(form()), unsaved('Typed'));
  openTab();
  expect(readUnsaved(unsavedName(form()))?.title).toBe('Typed');
  expect(readUnsaved(unsavedName(form({ user: 2 })))).toBeUndefined();
  // Over another form.
  expect(readUnsaved(unsavedName(form({ more: ['', 1] })))).toBeUndefined();
});

test('each tab has new entries of its own, until another takes them over', () => {
  const blank = { id: undefined };
  const first = unsavedName(form(blank));
  keepUnsaved(first, unsaved('In the first tab'));
  openTab();
  const second = unsavedName(form(blank));
  expect(unsavedName(form(blank))).toBe(second);
  expect(readUnsaved(second)).toBeUndefined();
  keepUnsaved(second, unsaved('In the second tab'));
  adopt(first);
  expect(readUnsaved(second)?.title).toBe('In the first tab');
  expect(readUnsaved(first)?.title).toBe('In the second tab');
  expect(placeOf(1, first)).toEqual({ path: 'articles', id: 'new', isPage: true });
});

test('it is forgotten when its user logs out, or nobody asks for it in a long time', () => {
  keepUnsaved(unsavedName(form()), unsaved('Of the first user'));
  keepUnsaved(unsavedName(form({ user: 12 })), unsaved('Of another'));
  keepUnsaved(unsavedName(form({ user: 12, id: 8 })), unsaved('Long ago', '2020-01-01T00:00:00.000Z'));
  forgetUnsaved(1);
  forgetOldUnsaved();
  expect(Object.keys(kept)).toEqual([unsavedName(form({ user: 12 }))]);
});
