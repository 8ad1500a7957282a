import { beforeAll, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import request from 'supertest';
import { declare } from '../../../../tests/support/access.js';
import { followCommands, isOfScan } from '../../../../tests/support/commands.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';

const uid = 'api::article.article';
const password = 'works-at-the-paper';
/** Of each kind; the desk shows eight, and four times as many of those that were changed last. */
const ENTRIES = 40;
const SHOWN = 8;
const CHANGED = 4 * SHOWN;

const client = useService(
  {
    contentTypes: 'packages/versions/tests/content-types',
    plugins: { admin: true, versions: true, i18n: { config: { locales: ['en', 'de'] } } },
  },
  // The test stores entries itself.
  { checked: false },
);
const collection = (name = 'articles') => client.service.database.db.collection<{ _id: number } & Document>(name);

let token = '';
beforeAll(async () => {
  await declare(client.service, {
    public: ['plugin::users-permissions.auth.callback'],
    authenticated: ['find', 'findOne', 'find.drafts', 'create', 'update'].map((action) => `${uid}.${action}`),
  });
  await createUser(client, 'ann', password);
  const { body } = await request(client.service.url).post('/api/auth/local').send({ identifier: 'ann', password });
  token = body.jwt;
  const first = await client.create('articles', { title: 'Published', publishedAt: null });
  // The first request creates the indexes of requests.
  const path = `/api/articles/${first}/review`;
  await request(client.service.url).post(path).auth(token, { type: 'bearer' }).send({ note: 'Soon' });
  const [stored] = await collection().find({ _id: first }).toArray();
  const { user } = body;
  const kinds: readonly Document[] = [
    { _live: 1, publishedAt: new Date(), _publication: { by: user.id, at: new Date() }, _review: undefined },
    { _createdBy: user.id },
    { _updatedBy: user.id },
    { _createdBy: user.id + 1, _updatedBy: user.id + 1 },
    { _review: { ...stored?.['_review'], ready: undefined, back: new Date(), by: user.id } },
    { _live: 1, publishedAt: new Date(), _copied: 1 },
  ];
  const made = kinds.flatMap((kind, place) =>
    Array.from({ length: ENTRIES }, (_, number) => {
      const _id = 1000 + place * ENTRIES + number;
      return { ...stored, ...kind, _id, updatedAt: new Date(2e12 + number * 1000) };
    }),
  );
  await collection().insertMany(made, { ignoreUndefined: true });
  const copies = made
    .filter((entry) => '_copied' in entry)
    .flatMap(({ _copied, ...entry }, number) => ({
      ...entry,
      _changes: ['title'],
      _updatedBy: user.id + (number % 2),
    }));
  await collection('_copies.articles').insertMany(copies, { ignoreUndefined: true });
});

/** The stages of a plan, from the last one to those that read. */
const stagesOf = (plan: Document): readonly Document[] => [
  plan,
  ...[plan['inputStage'], ...((plan['inputStages'] as readonly Document[] | undefined) ?? [])]
    .filter((inner) => inner !== undefined)
    .flatMap(stagesOf),
];

const readDesk = async () => request(client.service.url).get('/api/admin/desk').auth(token, { type: 'bearer' });

test('the desk reads each of its lists from an index, in its order, and counts drafts without reading any', async () => {
  const commands: Document[] = [];
  await followCommands(
    client.service.database.client,
    ({ commandName, command }) => {
      const isRead = ['articles', '_copies.articles'].includes(command[commandName] as string);
      // How many entries there are is known to all lists, and counted once after a write.
      const isTotal = Object.keys(command['pipeline']?.[0]?.$match ?? { _id: 0 }).length === 0;
      if (isRead && !isTotal && !isOfScan({ commandName, command })) commands.push(command);
    },
    async () => {
      const { body } = await readDesk();
      const { drafts, waiting, back, published, changed, total } = body.data[uid];
      const lists = [drafts.own, drafts.others, drafts.prepared, waiting, back, published];
      expect(lists.map(({ length }) => length as number)).toEqual(lists.map(() => SHOWN));
      expect(changed).toHaveLength(CHANGED);
      expect([drafts.total, total]).toEqual([4 * ENTRIES + 1, 6 * ENTRIES + 1]);
    },
  );
  const { db } = client.service.database;
  const read = [];
  for (const command of commands) {
    const { find, filter, sort, limit, projection, aggregate, pipeline, hint } = command;
    const explain =
      find === undefined ? { aggregate, pipeline, cursor: {} } : { find, filter, sort, limit, projection };
    const given = Object.entries({ ...explain, hint }).filter(([, value]) => value !== undefined);
    const plan = await db.command({ explain: Object.fromEntries(given), verbosity: 'executionStats' });
    const { executionStats } = (plan['stages']?.[0]?.$cursor ?? plan) as { readonly executionStats: Document };
    const most: number = limit ?? pipeline?.find((stage: Document) => '$limit' in stage)?.$limit ?? 0;
    const stages = stagesOf(executionStats['executionStages'] as Document);
    read.push({
      indexes: stages.flatMap(({ indexName }) => (indexName === undefined ? [] : [indexName as string])),
      scanned: stages.flatMap(({ stage }) => (['COLLSCAN', 'SORT'].includes(stage) ? [stage as string] : [])),
      isBounded: executionStats['totalDocsExamined'] <= Math.max(most, SHOWN),
    });
  }
  expect(read.map(({ scanned, isBounded }) => [scanned, isBounded])).toEqual(read.map(() => [[], true]));
  const used = read.flatMap(({ indexes }) => indexes);
  expect(used.filter((name) => name === 'cs_drafts')).toHaveLength(2);
  // Of the entries, and of the copies that a user has prepared.
  expect(used.filter((name) => name === 'cs_changes')).toHaveLength(2);
  const named = ['cs__publication.at_-1__id_1', 'review_waiting', 'review_sent_back'];
  expect(used).toEqual(expect.arrayContaining(named));
});
