import { readFileSync } from 'node:fs';
import os from 'node:os';
import { expect, test } from '@jest/globals';
import { bounds } from '../../src/config/bounds.js';
import { loadConfig } from '../../src/config/load-config.js';
import { MOST_LINKS } from '../../src/mongo/stored/trash.js';
import { MAX_BYTES } from '../../src/plugins/versions/keep-version.js';

test('the page has the values of the fixed limits', async () => {
  const { limits, events } = await loadConfig({}, os.tmpdir());
  const { populate, batch, relations, components, lockWait, queueLimit, queueTimeoutMs } = limits;
  const { feeds, retention } = events;
  const [, table = ''] = readFileSync('docs/limits.md', 'utf8').split('## Fixed limits');
  expect([...table.matchAll(/ \| +(\d+) \| /g)].map(([, value]) => Number(value))).toEqual([
    populate,
    batch,
    relations,
    components,
    bounds.unknownNames,
    bounds.blockNodes,
    lockWait,
    queueLimit,
    queueTimeoutMs,
    feeds.all,
    feeds.perCaller,
    retention.number,
    retention.milliseconds,
    MOST_LINKS,
    MAX_BYTES,
  ]);
});
