import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { forgetTab, keep, readKept, readKeptJson } from '../../src/browser/api/kept.js';

/** As much text as this browser keeps under a name. */
const LONGEST = 20;

const define = (storage: () => unknown): unknown =>
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, get: storage });

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'sessionStorage');
});

describe('a browser that keeps texts', () => {
  const texts = new Map<string, string>();
  beforeEach(() => {
    texts.clear();
    const storage = {
      getItem: (name: string) => texts.get(name) ?? null,
      setItem: (name: string, text: string) => {
        if (text.length > LONGEST) throw new Error('QuotaExceededError');
        texts.set(name, text);
      },
      removeItem: (name: string) => texts.delete(name),
      clear: () => texts.clear(),
    };
    define(() => storage);
  });

  test('keeps and forgets them', () => {
    keep('sessionStorage', 'theme', 'dark');
    expect(readKept('sessionStorage', 'theme')).toBe('dark');
    keep('sessionStorage', 'theme', undefined);
    expect(readKept('sessionStorage', 'theme')).toBeUndefined();
    keep('sessionStorage', 'view', '{"page":2}');
    expect(readKeptJson('sessionStorage', 'view')).toEqual({ page: 2 });
    forgetTab();
    expect(readKeptJson('sessionStorage', 'view')).toBeUndefined();
  });

  test('forgets the former text if the new one is too long', () => {
    keep('sessionStorage', 'entry', 'short');
    keep('sessionStorage', 'entry', 'x'.repeat(LONGEST + 1));
    expect(readKept('sessionStorage', 'entry')).toBeUndefined();
  });

  test('has nothing of use where it keeps no JSON', () => {
    for (const text of ['{', 'null']) {
      keep('sessionStorage', 'view', text);
      expect(readKeptJson('sessionStorage', 'view')).toBeUndefined();
    }
  });
});

test('a browser that refuses each access keeps nothing', () => {
  define(() => {
    throw new Error('SecurityError');
  });
  keep('sessionStorage', 'theme', 'dark');
  forgetTab();
  expect(readKept('sessionStorage', 'theme')).toBeUndefined();
  expect(readKeptJson('sessionStorage', 'theme')).toBeUndefined();
});
