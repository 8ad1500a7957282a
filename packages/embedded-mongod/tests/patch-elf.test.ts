import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from '../../../tests/support/fast-check.js';
import { EmbeddedUnavailable, findEnginePackage } from '../src/engine-package.js';
import { parseGlibc, isNewer } from '../src/glibc.js';
import { patchElf } from '../src/older-glibc/patched-copies.js';

/** The addon: small, and with what the engine's library has as well. */
function readAddon(): Buffer {
  const { folder, main } = findEnginePackage();
  return fs.readFileSync(path.join(folder, main));
}

/** Patches a copy; returns the reason if that is refused. Then the bytes do not change. */
function refusal(file: Buffer, have: readonly [number, number] = [2, 36]): string {
  const copy = Buffer.from(file);
  let thrown: unknown;
  try {
    patchElf(copy, have, 'addon');
  } catch (error) {
    thrown = error;
  }
  if (thrown === undefined) return 'taken';
  expect(copy.equals(file)).toBe(true);
  return thrown instanceof EmbeddedUnavailable ? thrown.message : 'not a refusal';
}

test.each([
  ['text', Buffer.from('#!/bin/sh\n'.repeat(10)), 'addon: not an ELF file'],
  ['nothing', Buffer.alloc(0), 'addon: not an ELF file'],
  ['a header alone', Buffer.from('\x7fELF\x02\x01'.padEnd(64, '\0'), 'latin1'), 'addon: no dynamic section'],
  [
    'a 32-bit file',
    Buffer.from('\x7fELF\x01\x01'.padEnd(64, '\0'), 'latin1'),
    'addon: not a 64-bit little-endian ELF file',
  ],
])('%s is refused', (_, file, reason) => {
  expect(refusal(file)).toBe(reason);
});

test('versions of the C library are compared as numbers', () => {
  expect(parseGlibc('2.36-9+deb12u7')).toEqual([2, 36]);
  expect(parseGlibc('musl')).toBeUndefined();
  expect([
    isNewer([2, 38], [2, 36]),
    isNewer([2, 9], [2, 36]),
    isNewer([3, 0], [2, 36]),
    isNewer([2, 36], [2, 36]),
  ]).toEqual([true, false, true, false]);
});

// The engine's files for macOS need no patch, and are no ELF files.
(process.platform === 'linux' ? describe : describe.skip)('the engine’s addon', () => {
  let addon: Buffer;
  beforeAll(() => {
    addon = readAddon();
  });

  test('an engine is bound to older symbol versions without a change of size, once', () => {
    const file = Buffer.from(addon);
    const bound = patchElf(file, [2, 36], 'addon');
    expect(bound.length).toBeGreaterThan(0);
    expect(bound.every((name) => name.startsWith('__isoc23_') || name === 'fmod')).toBe(true);
    expect(file.length).toBe(addon.length);
    const changed = file.filter((byte, i) => byte !== addon[i]).length;
    expect(changed).toBeGreaterThan(0);
    expect(changed).toBeLessThan(100);
    expect(patchElf(file, [2, 36], 'addon')).toEqual([]);
  });

  test('an engine is unchanged if the C library is new enough', () => {
    const file = Buffer.from(addon);
    expect(patchElf(file, [2, 38], 'addon')).toEqual([]);
    expect(file.equals(addon)).toBe(true);
  });

  test('an engine is refused if the C library is too old', () => {
    expect(refusal(addon, [2, 33])).toMatch(/^addon: needs \w+ of GLIBC_2\.34, this system has glibc 2\.33$/);
  });

  test('an engine truncated at any byte is refused unchanged', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), (length) => {
        expect(refusal(addon.subarray(0, length))).toMatch(/^addon: /);
      }),
      { numRuns: 50 },
    );
  });

  test('an engine with damaged header bytes is accepted or refused with a reason', () => {
    const damage = fc.array(fc.tuple(fc.nat(1200), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(damage, (changes) => {
        const file = Buffer.from(addon);
        for (const [at, byte] of changes) file[at] = byte;
        expect(refusal(file)).toMatch(/^(?:taken|addon: .+)$/);
      }),
      { numRuns: 100 },
    );
  });
});
