import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { findEnginePackage } from '../src/engine-package.js';
import { findAddon } from '../src/load-engine.js';
import { storePatchedCopies } from '../src/older-glibc/patched-copies.js';

// Elsewhere the engine is loaded as it is.
(process.platform === 'linux' ? describe : describe.skip)('copies of native files', () => {
  let source: string;
  let main: string;
  let folder: string;
  let copies: string;
  beforeEach(() => {
    ({ folder: source, main } = findEnginePackage());
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'copies-'));
    copies = path.join(folder, 'cache', 'copies');
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  const keep = (): void => storePatchedCopies(source, [main], copies, [2, 36]);
  const copy = (): { ino: number; content: string } => {
    const file = path.join(copies, main);
    return { ino: fs.statSync(file).ino, content: fs.readFileSync(file, 'latin1') };
  };

  test('copies are made once, outside the package', () => {
    keep();
    const made = copy();
    expect(made.content).not.toBe(fs.readFileSync(path.join(source, main), 'latin1'));
    keep();
    expect(copy().ino).toBe(made.ino);
    expect(fs.readdirSync(copies).toSorted()).toEqual(['copies.json', main].toSorted());
  });

  test('copies are replaced if a byte changed, even with equal size and time', () => {
    keep();
    const made = copy();
    const file = path.join(copies, main);
    const { atime, mtime } = fs.statSync(file);
    const handle = fs.openSync(file, 'r+');
    fs.writeSync(handle, Buffer.from('x'), 0, 1, 5000);
    fs.closeSync(handle);
    fs.utimesSync(file, atime, mtime);
    keep();
    expect(copy().content).toBe(made.content);
  });

  test('copies are refused in a folder that others can write to', () => {
    fs.mkdirSync(copies, { recursive: true });
    fs.chmodSync(copies, 0o777);
    expect(keep).toThrow(`no copies can be stored in ${copies} (others can write to it); set XDG_CACHE_HOME`);
    expect(fs.readdirSync(copies)).toEqual([]);
  });

  test('copies are not made of a truncated file', () => {
    const cut = path.join(folder, main);
    fs.writeFileSync(cut, fs.readFileSync(path.join(source, main)).subarray(0, 10_000));
    expect(() => storePatchedCopies(folder, [main], copies, [2, 36])).toThrow(/^.*\.node: /);
    expect(fs.readdirSync(copies)).toEqual([]);
  });

  test.each([
    [[2, 38], false],
    [[2, 36], true],
  ] as const)('with glibc %j copies are made: %j', async (have, copied) => {
    const cache = path.join(folder, 'cache');
    const addon = await findAddon(findEnginePackage(), cache, have);
    expect(addon.startsWith(cache)).toBe(copied);
    expect(fs.existsSync(cache)).toBe(copied);
  });
});
