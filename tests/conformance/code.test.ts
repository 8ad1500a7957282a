import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { projectCodes } from '../../scripts/conformance/project-code.js';
import type { CodeResult } from '../../scripts/conformance/replay-with-code.js';
import { describeOutcome } from '../../scripts/conformance/report.js';
import type { RecordingOutcome } from '../../scripts/conformance/strapi5/replay-recordings.js';
import { describeFile } from '../../scripts/conformance/strapi5/report.js';
import { minutes } from '../support/scaled.js';

/** The answers of projects with code that changes none. */
let results: readonly CodeResult[] = [];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'code-corpus-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Code of a project is loaded by Node, so it is replayed by a process of its own. */
async function replayWithCode(
  ...args: readonly string[]
): Promise<{ readonly result: unknown; readonly output: string }> {
  const file = path.join(folder, 'result.json');
  fs.rmSync(file, { force: true });
  const child = spawn(process.execPath, ['scripts/conformance.mjs', '--code', '--json', file, ...args], {
    env: { ...process.env, MONGODB_URI: process.env['TEST_MONGODB_URI'] },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  await once(child, 'exit');
  if (!fs.existsSync(file)) throw new Error(output.slice(-2000));
  return { result: JSON.parse(fs.readFileSync(file, 'utf8')), output };
}

// It replays all requests five times.
beforeAll(async () => {
  const { result } = await replayWithCode();
  results = result as readonly CodeResult[];
}, minutes(30));

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names of the table
const codes = Object.keys(projectCodes) as readonly (keyof typeof projectCodes)[];

test.each(codes)('every answer is the same as without code, or has a reason: %s', (code) => {
  const result = results.find((one) => one.code === code);
  expect(result?.unexplained.flatMap((one) => describeOutcome(one, false))).toEqual([]);
  expect(result?.needless).toEqual([]);
  expect(result?.judged).toBeGreaterThan(3000);
});

test(
  'what the generator of Strapi v4 writes leaves all answers in the format of Strapi 5 as they are',
  async () => {
    const { result, output } = await replayWithCode('--format', '5');
    const outcomes = result as readonly RecordingOutcome[];
    expect(describeFile(outcomes.filter(({ verdict }) => verdict === 'different'))).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(1000);
    expect(output).not.toContain('code of the project takes part');
  },
  // It replays a thousand requests.
  minutes(10),
);
