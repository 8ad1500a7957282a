import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { Ratchet } from '../../scripts/conformance/ratchet.js';
import { describeOutcome } from '../../scripts/conformance/report.js';
import { runCorpus, type CorpusResult } from '../../scripts/conformance/run-corpus.js';
import { scoresOf } from '../../scripts/conformance/score.js';
import { minutes } from '../support/scaled.js';
import recorded from './ratchet.json' with { type: 'json' };
import { besideStrapi5, SECRET, type Written } from './strapi5-writer.js';

/** The answers of Strapi v4's API to its own clients, while others write to the same entries by Strapi 5's. */
const ratchet: Ratchet = recorded;
const written: Written = { besideDrafts: 0, done: new Map(), refused: [] };
/** Of a type whose entries have drafts beside them, lists of permissions name the right to see these. */
const RIGHT = '.find.drafts';
let outcomes: CorpusResult['outcomes'] = [];

// Each of some thousand steps is sent with writes beside it.
beforeAll(async () => {
  const result = await runCorpus({
    corpus: path.resolve('tests/fixtures/corpus'),
    uri: process.env['TEST_MONGODB_URI'] ?? '',
    plugins: { strapi5: { enabled: true, config: {} } },
    accompany: (client, phase) => besideStrapi5(client, phase, written),
  });
  outcomes = result.outcomes.map((one) => ({ ...one, lenient: one.lenient.filter(({ at }) => !at.endsWith(RIGHT)) }));
}, minutes(30));

test('recorded answers are reproduced wherever they are without', () => {
  const scores = scoresOf(outcomes);
  const worse = Object.entries(ratchet).filter(([area, before]) => {
    const { judged = 0, lenient = 0 } = scores[area] ?? {};
    return judged - lenient > before.judged - before.lenient;
  });
  const areas = new Set(worse.map(([area]) => area));
  const failed = outcomes.filter(({ area, rule, lenient }) => areas.has(area) && !rule && lenient.length > 0);
  expect(failed.flatMap((one) => describeOutcome(one, false))).toEqual([]);
});

test('no answer shows a draft of a published entry', () => {
  const shown = outcomes.filter(({ answer }) => JSON.stringify(answer ?? null).includes(SECRET));
  expect(shown.map(({ file, name }) => [file, name])).toEqual([]);
});

test('the others have written', () => {
  expect(written.refused).toEqual([]);
  expect(written.besideDrafts).toBeGreaterThan(2000);
  expect(Math.min(...written.done.values())).toBeGreaterThan(50);
});
