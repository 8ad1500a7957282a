import { readFileSync } from 'node:fs';
import os from 'node:os';
import { expect, test } from '@jest/globals';
import { bounds } from '../../src/config/bounds.js';
import { loadConfig } from '../../src/config/load-config.js';
import { MOST_LINKS } from '../../src/mongo/stored/trash.js';
import { MOST_CHARACTERS } from '../../src/cli/io/read-lines.js';
import { MOST_HEADER_CHARACTERS } from '../../src/plugins/webhooks/parse-webhooks.js';
import { MAX_BYTES } from '../../packages/versions/src/keep-version.js';

const [, table = ''] = readFileSync('docs/limits.md', 'utf8').split('## What one request holds');
const [held = '', fixed = ''] = table.split('## Fixed limits');
const valuesIn = (text: string): readonly number[] =>
  [...text.matchAll(/ \| +(\d+) \|/g)].map(([, value]) => Number(value));

test('the page has each bound of what one request holds, in the order of the table in the code', () => {
  expect(valuesIn(held)).toEqual(Object.values(bounds));
});

test('the settings of the service are those bounds', async () => {
  const { limits, http } = await loadConfig({}, os.tmpdir());
  const { populate, batch, relations, components, jsonValues } = limits;
  expect({ populate, batch, relations, components, jsonValues, url: http.urlLimit }).toEqual({
    populate: bounds.populated,
    batch: bounds.operations,
    relations: bounds.relatedEntries,
    components: bounds.components,
    jsonValues: bounds.jsonValues,
    url: bounds.urlCharacters,
  });
});

test('the page has the values of the fixed limits', async () => {
  const { limits, events } = await loadConfig({}, os.tmpdir());
  const { lockWait, queueLimit, queueTimeoutMs } = limits;
  const { feeds, retention } = events;
  expect(valuesIn(fixed)).toEqual([
    lockWait,
    queueLimit,
    queueTimeoutMs,
    feeds.all,
    feeds.perCaller,
    retention.number,
    retention.milliseconds,
    MOST_LINKS,
    MAX_BYTES,
    MOST_HEADER_CHARACTERS,
    MOST_CHARACTERS,
  ]);
});
