import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { lazyRequire } from '../../../src/config/lazy-require.js';

test('a failed require is retried, and a successful one is cached', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'load-later-'));
  const [file, trouble] = ['package.cjs', 'trouble'].map((name) => path.join(folder, name)) as [string, string];
  fs.writeFileSync(file, `if (require('node:fs').existsSync(${JSON.stringify(trouble)})) throw new Error('not now');`);
  fs.writeFileSync(trouble, '');
  const load = lazyRequire<object>(file);
  expect(load).toThrow('not now');
  fs.rmSync(trouble);
  expect(load()).toBe(load());
  fs.rmSync(folder, { recursive: true });
});
