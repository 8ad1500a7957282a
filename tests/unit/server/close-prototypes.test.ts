import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { closePrototypes } from '../../../src/server/close-prototypes.js';

/** In a process of its own: it cannot be undone. */
test('a write to Object.prototype does not affect other objects', async () => {
  const script = `(${closePrototypes.toString()})();
    try { ({}).__proto__.polluted = 1; } catch {}
    try { 'use strict'; Object.prototype.constructor.prototype.polluted = 1; } catch {}
    class Named { toString() { return 'named'; } }
    Named.prototype.toString = () => 'renamed';
    console.log(JSON.stringify([typeof ({}).polluted, String(new Named())]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
  expect(JSON.parse(stdout)).toEqual(['undefined', 'renamed']);
});
