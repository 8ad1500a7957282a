import { beforeAll, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { commandsOf } from '../../../support/commands.js';
import { useService } from '../../../support/service.js';

// Without what entries tell of their other localizations, which are in other locales.
const client = useService({
  plugins: { i18n: { config: { locales: ['en', 'fr', 'de'] } } },
  environment: { REST_ENTRY_META: 'false' },
});

beforeAll(async () => {
  for (const locale of ['en', 'fr', 'de']) {
    for (let index = 0; index < 10; index += 1) {
      await client.create('categories', { name: `${locale} ${index}`, locale });
      const publishedAt = index % 2 === 0 ? null : new Date().toISOString();
      await client.create('articles', { title: `${locale} ${index}`, locale, publishedAt });
    }
  }
});

/** The stages of a plan, the innermost last. */
const stagesOf = (plan: Document): readonly string[] => [
  String(plan['stage']),
  ...(plan['inputStage'] === undefined ? [] : stagesOf(plan['inputStage'] as Document)),
];

test.each([
  ['categories', 10],
  ['articles', 5],
])('a list of %s in one locale examines no entries of other locales and does not sort', async (collection, count) => {
  let sent: Document = {};
  const { client: mongo, db } = client.service.database;
  const note = ({ commandName, command }: { commandName: string; command: Document }): void => {
    if (command[commandName] === collection) sent = command;
  };
  mongo.on('commandStarted', note);
  const { body } = await client.get(`/api/${collection}?locale=fr`);
  mongo.off('commandStarted', note);
  expect(body.data).toHaveLength(count);
  // A live list of a type with drafts looks up which localizations are drafts, in the same command.
  const { find, filter, sort, limit, aggregate, pipeline } = sent;
  const command = find === undefined ? { aggregate, pipeline, cursor: {} } : { find, filter, sort, limit };
  const explained = await db.command({ explain: command });
  const { executionStats: stats } = (explained['stages']?.[0].$cursor ?? explained) as Document;
  expect(stats).toMatchObject({ totalDocsExamined: count, totalKeysExamined: count });
  expect(stagesOf(stats['executionStages'] as Document)).not.toContain('SORT');
});

test('a list of one locale sends as many commands as a list without locales', async () => {
  const commands = await commandsOf(client.service, () => client.get('/api/categories?locale=fr'));
  expect(commands).toEqual(await commandsOf(client.service, () => client.get('/api/tags')));
});
