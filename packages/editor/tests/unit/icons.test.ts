import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const folder = 'packages/editor/src/browser';

test('no sign stands for an icon: all icons are of one set', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'));
  const signed = files.filter((file) => /[×✕←↑↓⋮⠿▸▾▴✓]/.test(readFileSync(path.join(folder, file), 'utf8')));
  expect(files.length).toBeGreaterThan(50);
  expect(signed).toEqual([]);
});
