import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { describeFile } from '../../../scripts/conformance/strapi5/report.js';
import { countDifferent, readDifferent, worseThan } from '../../../scripts/conformance/strapi5/ratchet.js';
import { replayRecordings } from '../../../scripts/conformance/strapi5/replay-recordings.js';
import { minutes } from '../../../tests/support/scaled.js';

const own = path.resolve('packages/strapi5/tests/fixtures');

/** The recorded answers of Strapi 5: on data of its own, and on data that Strapi v4 wrote. */
describe('recorded answers of Strapi 5', () => {
  test(
    'are reproduced as often as before',
    async () => {
      const corpus = path.resolve('tests/fixtures/corpus');
      const outcomes = await replayRecordings({
        folder: own,
        own,
        corpus,
        uri: process.env['TEST_MONGODB_URI'] ?? '',
      });
      const worse = worseThan(await readDifferent(own), countDifferent(outcomes));
      const files = new Set(worse.map((line) => line.split(':', 1)[0]));
      const shown = outcomes.filter(({ file, verdict }) => files.has(file) && verdict === 'different');
      expect([...worse, ...describeFile(shown)]).toEqual([]);
    },
    // It replays a thousand requests.
    minutes(10),
  );
});
