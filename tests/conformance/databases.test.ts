import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Ratchet } from '../../scripts/conformance/ratchet.js';
import { describeOutcome } from '../../scripts/conformance/report.js';
import { runCorpus, type CorpusResult } from '../../scripts/conformance/run-corpus.js';
import { scoresOf } from '../../scripts/conformance/score.js';
import recorded from './ratchet.json' with { type: 'json' };

const ratchet: Ratchet = recorded;

describe.each(['postgres', 'mysql'] as const)('recorded responses of Strapi v4 on %s', (database) => {
  let result: CorpusResult;
  beforeAll(async () => {
    const corpus = path.resolve('tests/fixtures/corpus');
    result = await runCorpus({ corpus, uri: process.env['TEST_MONGODB_URI'] ?? '', database });
  });

  test('are reproduced wherever those on SQLite are', () => {
    const scores = scoresOf(result.outcomes);
    const worse = Object.entries(ratchet).filter(([area, before]) => {
      const { judged = 0, lenient = 0 } = scores[area] ?? {};
      return judged - lenient > before.judged - before.lenient;
    });
    const areas = new Set(worse.map(([area]) => area));
    const failed = result.outcomes.filter(({ area, rule, lenient }) => areas.has(area) && !rule && lenient.length > 0);
    expect(failed.flatMap((one) => describeOutcome(one, false))).toEqual([]);
  });
});
