import { beforeAll, expect, test } from '@jest/globals';
import { commandsOf } from '../../../../tests/support/commands.js';
import { useService } from '../../../../tests/support/service.js';
import { asker } from './ask.js';

const rest = useService({ plugins: { strapi5: true }, environment: { RESPONSE_CACHE: '0' } });
const ask = asker(rest);

beforeAll(async () => {
  const tag = await rest.create('tags', { name: 'A' });
  const author = await rest.create('authors', { name: 'Ann' });
  for (const title of ['One', 'Two']) await rest.create('articles', { title, author, tags: [tag] });
});

test.each([
  [
    '{ articles { title author { name } tags { name articles { title } } cover { url } } }',
    '{ articles { data { attributes { title author { data { attributes { name } } } tags { data { attributes { name articles { data { attributes { title } } } } } } cover { data { attributes { url } } } } } } }',
  ],
  [
    '{ articles_connection { nodes { title } pageInfo { total } } }',
    '{ articles { data { attributes { title } } meta { pagination { total } } } }',
  ],
  [
    '{ articles(filters: { tags: { name: { eq: "A" } } }) { title } }',
    '{ articles(filters: { tags: { name: { eq: "A" } } }) { data { attributes { title } } } }',
  ],
])('a field takes the commands that it takes in the schema of Strapi v4: %s', async (query, v4) => {
  // What both remember of the data, such as the entries that a filter leads to, is the same then.
  await ask.data(query);
  const commands = await commandsOf(rest.service, () => ask.data(query));
  expect(commands.length).toBeGreaterThan(0);
  expect(commands).toEqual(await commandsOf(rest.service, () => rest.graphql(v4)));
});

test('an entry is found by its documentId with one command', async () => {
  const { articles } = await ask.data('{ articles { documentId } }');
  const query = 'query ($d: ID!) { article(documentId: $d) { title tags { name } } }';
  const commands = await commandsOf(rest.service, () => ask.data(query, { d: articles[0].documentId }));
  expect(commands.filter((name) => name !== 'versions')).toHaveLength(1);
});
