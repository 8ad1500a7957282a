import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { claimDataFolder, type EngineVersion } from '../../../../src/mongo/connection/data-folder.js';

test('the files of another engine or version are refused', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'data-folder-'));
  const claim = (engine: EngineVersion['engine'], version: string): string =>
    claimDataFolder(folder, { engine, version });
  const database = claim('mongod', '8.0');
  expect(claim('mongod', '8.0')).toBe(database);
  expect(() => claim('mongod', '7.0')).toThrow('was written by mongod 8.0, not by mongod 7.0');
  expect(() => claim('embedded', '8.0')).toThrow('was written by mongod 8.0, not by embedded 8.0');
});
