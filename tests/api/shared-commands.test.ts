import { expect, test } from '@jest/globals';
import { commandsOf } from '../support/commands.js';
import { useService } from '../support/service.js';

const client = useService();
const MANY = 40;

/** Creates as many entries at the same moment; gives what became of each, and the commands that it took. */
async function createAtOnce(uid: string, dataOf: (index: number) => Readonly<Record<string, unknown>>) {
  let outcomes: readonly PromiseSettledResult<unknown>[] = [];
  const commands = await commandsOf(client.service, async () => {
    outcomes = await Promise.allSettled(
      Array.from({ length: MANY }, (_, index) => client.service.entries.create(uid, dataOf(index))),
    );
  });
  return { outcomes, commands };
}

test('creates that wait at the same moment share their commands', async () => {
  const author = await client.create('authors', { name: 'Ida' });
  const { outcomes, commands } = await createAtOnce('api::article.article', (index) => ({
    title: `At once ${index}`,
    author,
  }));
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
  expect(commands.filter((name) => name === 'insert').length).toBeLessThan(MANY / 2);
  expect(commands.filter((name) => name === 'aggregate').length).toBeLessThan(MANY);
  expect(await client.service.entries.count('api::article.article', { filters: { author } })).toBe(MANY);
});

test('of those, one that is refused does not take the others along, and learns why', async () => {
  const { outcomes } = await createAtOnce('api::tag.tag', (index) => ({ name: `Tag ${index === 7 ? 3 : index}` }));
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  expect(refused).toEqual([
    expect.objectContaining({
      details: { errors: [{ name: 'ValidationError', path: ['name'], message: 'This attribute must be unique' }] },
    }),
  ]);
  expect(await client.service.entries.count('api::tag.tag')).toBe(MANY - 1);
});

test('a relation to what is not there is refused to its own writer only', async () => {
  const author = await client.create('authors', { name: 'Noor' });
  const { outcomes } = await createAtOnce('api::article.article', (index) => ({
    title: `Led astray ${index}`,
    author: index % 10 === 0 ? 999_000 + index : author,
  }));
  const refused = outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
  expect(refused).toEqual([0, 10, 20, 30]);
});
