import { beforeAll, describe, expect, test } from '@jest/globals';
import { commandsOf } from '../../support/commands.js';
import { useService, type Answer } from '../../support/service.js';

/**
 * Four times as many bytes are read for an answer as it may take, and no more than the batch or document that exceeds
 * them.
 */
const client = useService({ environment: { RESPONSE_LIMIT: '1mb', REST_MAX_LIMIT: '200' } }, { checked: false });
const { get, create, graphql } = client;

const body = 'x'.repeat(900_000);
const [count, all] = [40, 120];
let category: number;
beforeAll(async () => {
  category = await create('categories', { name: 'Long' });
  const id = await create('articles', { title: 'Long', body, category });
  // Copies within the database: they are more than 100 MB.
  const copies = { $map: { input: { $range: [1, all] }, as: 'n', in: { $add: ['$_id', '$$n'] } } };
  const pipeline = [{ $match: { _id: id } }, { $set: { _id: copies } }, { $unwind: '$_id' }, { $unset: 'slug' }];
  await client.service.database.db
    .collection('articles')
    .aggregate([...pipeline, { $merge: 'articles' }])
    .toArray();
});

const tooLong = 'The query asks for too much: at most 1048576 bytes in one response (RESPONSE_LIMIT)';

/** The commands of a request that is refused. */
async function commandsFor(request: () => Promise<Answer>): Promise<readonly string[]> {
  const answers: Answer[] = [];
  const commands = await commandsOf(client.service, async () => {
    answers.push(await request());
  });
  expect(answers.map(({ status, body: refused }) => [status, (refused.error ?? refused.errors[0]).message])).toEqual([
    [400, tooLong],
  ]);
  return commands;
}

const list = `/api/articles?publicationState=preview&pagination[pageSize]=${count}&pagination[withCount]=false`;
const query = `{ articles(pagination: { limit: ${count} }) { data { attributes { body } } } }`;

describe('reads of large pages with a response limit of 1 MB', () => {
  // 40 and 20 entries do not fit into 16 MB; 10 are more than 4 MB: nothing is read after them.
  test('stop when a page of 36 MB exceeds the limit', async () => {
    expect(await commandsFor(() => get(list))).toEqual(['find', 'killCursors', 'find', 'killCursors', 'find']);
    expect(await commandsFor(() => get(`${list}&sort=title&populate=category`))).toEqual(
      Array.from({ length: 3 }, () => 'aggregate'),
    );
  });

  test('stop at a page of 108 MB, which the database cannot group', async () => {
    const path = `/api/articles?publicationState=preview&pagination[pageSize]=${all}&pagination[withCount]=false`;
    // 120, 60 and 30 entries do not fit.
    expect(await commandsFor(() => get(`${path}&populate=category`))).toEqual(
      Array.from({ length: 4 }, () => 'aggregate'),
    );
  });

  test('stop over GraphQL', async () => {
    await graphql('{ tags { data { id } } }');
    expect(await commandsFor(() => graphql(query))).toEqual(['find', 'killCursors', 'find', 'killCursors', 'find']);
  });

  test('are complete for project code', async () => {
    expect(
      await client.service.entries.findMany('api::article.article', { pagination: { limit: count } }),
    ).toHaveLength(count);
  });
});

test('returns an entry of nearly 1 MB, and long entries with few fields selected', async () => {
  expect((await get('/api/articles?pagination[pageSize]=1')).status).toBe(200);
  expect((await get(`${list}&fields=title&populate=category`)).body.data).toHaveLength(count);
  expect((await get(`/api/categories/${category}?populate[articles][fields]=title`)).status).toBe(200);
});

test('the fields of a GraphQL query count together', async () => {
  const half = 'data { attributes { title body } }';
  const fields = Array.from(
    { length: 6 },
    (_, index) => `a${index}: articles(sort: "id", pagination: { limit: 1 }) { ${half} }`,
  );
  const answer = await graphql(`{ ${fields.join(' ')} }`);
  expect([answer.status, answer.body.errors[0].message]).toEqual([400, tooLong]);
});
