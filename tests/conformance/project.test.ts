import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Ratchet } from '../../scripts/conformance/ratchet.js';
import type { Scores } from '../../scripts/conformance/score.js';
import ofStrapi4 from './project-ratchet.json' with { type: 'json' };
import ofStrapi5 from './strapi5-project-ratchet.json' with { type: 'json' };

const projects: readonly (readonly [version: string, ratchet: Ratchet])[] = [
  ['4', ofStrapi4],
  ['5', ofStrapi5],
];

/**
 * The recorded answers of projects with code. The code is loaded by Node, so they are replayed by a process of their
 * own.
 */
describe.each(projects)('a project of Strapi %s', (version, ratchet) => {
  let code: unknown;
  let scores: Scores = {};
  let output = '';
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'project-corpus-'));

  beforeAll(async () => {
    const result = path.join(folder, 'result.json');
    const words = ['--project', '--format', version, '--json', result];
    const child = spawn(process.execPath, ['scripts/conformance.mjs', ...words], {
      env: { ...process.env, MONGODB_URI: process.env['TEST_MONGODB_URI'] },
    });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
    [code] = await once(child, 'exit');
    if (fs.existsSync(result)) ({ scores } = JSON.parse(fs.readFileSync(result, 'utf8')) as { scores: Scores });
  });
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  test.each(Object.entries(ratchet))('recorded responses of %s are reproduced as often as before', (area, before) => {
    const { judged, lenient = 0, strict = 0 } = scores[area] ?? {};
    expect(judged).toBe(before.judged);
    expect(lenient).toBeGreaterThanOrEqual(before.lenient);
    expect(strict).toBeGreaterThanOrEqual(before.strict);
  });

  test('the process that replays them exits with 0', () => {
    expect([code, output.slice(-2000)]).toEqual([0, expect.anything()]);
  });
});
