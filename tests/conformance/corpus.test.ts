import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { coversAllAttributes, type Ratchet } from '../../scripts/conformance/ratchet.js';
import { describeOutcome } from '../../scripts/conformance/report.js';
import { runCorpus, type CorpusResult } from '../../scripts/conformance/run-corpus.js';
import { scoresOf, type Scores } from '../../scripts/conformance/score.js';
import recorded from './ratchet.json' with { type: 'json' };
import { minutes } from '../support/scaled.js';

const ratchet: Ratchet = recorded;
const areas = Object.keys(ratchet);
const whole = Object.entries(ratchet).flatMap(([area, reached]) => (coversAllAttributes(reached) ? [area] : []));

let result: CorpusResult;
let scores: Scores;
// It replays all requests.
beforeAll(async () => {
  const corpus = path.resolve('tests/fixtures/corpus');
  result = await runCorpus({ corpus, uri: process.env['TEST_MONGODB_URI'] ?? '' });
  scores = scoresOf(result.outcomes);
}, minutes(10));

describe('recorded responses of Strapi v4', () => {
  test.each(whole)('of %s are all reproduced', (area) => {
    const judged = result.outcomes.filter((one) => one.area === area && one.rule === undefined);
    const failed = judged.filter(({ lenient }) => lenient.length > 0);
    expect(failed.flatMap((one) => describeOutcome(one, false))).toEqual([]);
    expect(judged).toHaveLength(ratchet[area]?.judged ?? 0);
  });

  test.each(areas)('of %s are reproduced as often as before', (area) => {
    const { lenient = 0, strict = 0 } = scores[area] ?? {};
    const before = ratchet[area];
    expect(lenient).toBeGreaterThanOrEqual(before?.lenient ?? 0);
    expect(strict).toBeGreaterThanOrEqual(before?.strict ?? 0);
  });

  test('are replayed in every area', () => {
    expect(Object.keys(scores)).toEqual(areas);
    expect(areas.filter((area) => result.notBuilt.includes(area))).toEqual([]);
  });
});
