import { beforeAll, expect, test } from '@jest/globals';
import { commandsOf } from '../../support/commands.js';
import { useService } from '../../support/service.js';

const client = useService();
const { get, create } = client;

/** More than the 16 MB that one document, and one batch, may hold. */
const count = 20;
const body = 'x'.repeat(900_000);
let category: number;
beforeAll(async () => {
  category = await create('categories', { name: 'Long' });
  for (let number = 1; number <= count; number++) await create('articles', { title: `Long ${number}`, body, category });
});

const everyTitle = Array.from({ length: count }, (_, index) => `Long ${index + 1}`);
const titlesOf = ({ data }: { data: { attributes: { title: string } }[] }) => data.map((one) => one.attributes.title);

test.each([
  ['a list', ''],
  ['a populated list', '?populate=category'],
  ['a list that is sorted', '?sort=createdAt'],
])('%s of more than 16 MB is read in halves', async (_, query) => {
  const answer = await get(`/api/articles${query}`);
  expect(titlesOf(answer.body)).toEqual(everyTitle);
  expect(answer.body.meta.pagination.total).toBe(count);
  expect(answer.text.length).toBeGreaterThan(16 * 1024 * 1024);
});

test('a truncated batch is read again and its cursor closed', async () => {
  const names = await commandsOf(client.service, () =>
    get('/api/articles?publicationState=preview&pagination[withCount]=false'),
  );
  expect(names.slice(-4)).toEqual(['find', 'killCursors', 'find', 'find']);
});

test('an entry with more than 16 MB of related data returns 400', async () => {
  const { status, body: answer } = await get(`/api/categories/${category}?populate=articles`);
  expect(status).toBe(400);
  expect(answer.error.message).toContain('larger than 16 MB');
});
