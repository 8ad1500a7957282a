import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { transformSync } from 'esbuild';

const browser = path.resolve('packages/editor/src/browser');
const readAll = (folder: string, ending: string): readonly (readonly [name: string, text: string])[] =>
  readdirSync(path.join(browser, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => [name, readFileSync(path.join(browser, folder, name), 'utf8')]);

/** The selectors of a stylesheet, without nesting and lists. */
const selectorsOf = (css: string): readonly string[] =>
  [...transformSync(css, { loader: 'css', target: 'chrome90' }).code.matchAll(/(?:^|[{};])\s*([^{}@;]+?)\s*\{/g)]
    .flatMap(([, list = '']) => list.split(/,(?![^(]*\))/))
    .map((selector) => selector.trim());

const sheets = readAll('styles', '.css').map(([name, css]) => ({ name, selectors: selectorsOf(css) }));

test('one stylesheet says what a class looks like: others that use it say where it is', () => {
  const owners = new Map<string, Set<string>>();
  for (const { name, selectors } of sheets)
    for (const selector of selectors.filter((one) => /^\.[\w-]+$/.test(one)))
      owners.set(selector, (owners.get(selector) ?? new Set()).add(name));
  expect(owners.size).toBeGreaterThan(80);
  expect([...owners].filter(([, names]) => names.size > 1)).toEqual([]);
});

test('what is in a text has classes of its own, which the pages around it do not style', () => {
  const blocks = readAll('writing', '.tsx').filter(([name]) => ['elements.tsx', 'table-block.tsx'].includes(name));
  const used = blocks.flatMap(([, code]) =>
    [...code.matchAll(/className(?:=|: )(?:"([^"]+)"|\{?isSelected \? '([^']+)' : '([^']+)'|`([^`]+)`)/g)].flatMap(
      ([, ...found]) => found.filter(Boolean).flatMap((names) => names.split(' ')),
    ),
  );
  expect(used.length).toBeGreaterThan(8);
  // The buttons of a table are none of the text.
  expect(used.filter((name) => !name.startsWith('text-') && name !== 'actions')).toEqual([]);
  const outside = sheets.flatMap(({ name, selectors }) =>
    selectors.filter(
      (selector) => selector.includes('.text-') && (!name.endsWith('writing.css') || !selector.startsWith('.page ')),
    ),
  );
  expect(outside).toEqual([]);
});
