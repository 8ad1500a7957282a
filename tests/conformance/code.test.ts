import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { projectCodes, type ProjectCode } from '../../scripts/conformance/project-code.js';
import type { CodeResult } from '../../scripts/conformance/replay-with-code.js';
import { describeOutcome } from '../../scripts/conformance/report.js';
import { minutes } from '../support/scaled.js';

/** The answers of projects with code that changes none. Their code is loaded by Node, so they are replayed by a process of their own. */
let results: readonly CodeResult[] = [];
let output = '';
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'code-corpus-'));

// It replays all requests five times.
beforeAll(async () => {
  const result = path.join(folder, 'result.json');
  const child = spawn(process.execPath, ['scripts/conformance.mjs', '--code', '--json', result], {
    env: { ...process.env, MONGODB_URI: process.env['TEST_MONGODB_URI'] },
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  await once(child, 'exit');
  if (!fs.existsSync(result)) throw new Error(output.slice(-2000));
  results = JSON.parse(fs.readFileSync(result, 'utf8')) as readonly CodeResult[];
}, minutes(30));
afterAll(() => fs.rmSync(folder, { recursive: true }));

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names of the table
const codes = Object.keys(projectCodes) as readonly ProjectCode[];

test.each(codes)('every answer is the same as without code, or has a reason: %s', (code) => {
  const result = results.find((one) => one.code === code);
  expect(result?.unexplained.flatMap((one) => describeOutcome(one, false))).toEqual([]);
  expect(result?.needless).toEqual([]);
  expect(result?.judged).toBeGreaterThan(3000);
});
