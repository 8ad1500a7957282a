import { describe, expect, test } from '@jest/globals';
import { commandsOf } from '../../support/commands.js';
import { useService, type Answer } from '../../support/service.js';

const client = useService();
const MANY = 40;

/** Creates this many entries concurrently; returns the result of each, and the commands. */
async function createAtOnce(uid: string, dataOf: (index: number) => Readonly<Record<string, unknown>>) {
  let outcomes: readonly PromiseSettledResult<unknown>[] = [];
  const commands = await commandsOf(client.service, async () => {
    outcomes = await Promise.allSettled(
      Array.from({ length: MANY }, (_, index) => client.service.entries.create(uid, dataOf(index))),
    );
  });
  return { outcomes, commands };
}

test('concurrent creates share their commands', async () => {
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

test('a refused create in a batch does not fail the others, and reports its own error', async () => {
  const { outcomes } = await createAtOnce('api::tag.tag', (index) => ({ name: `Tag ${index === 7 ? 3 : index}` }));
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  expect(refused).toEqual([
    expect.objectContaining({
      details: { errors: [{ name: 'ValidationError', path: ['name'], message: 'This attribute must be unique' }] },
    }),
  ]);
  expect(await client.service.entries.count('api::tag.tag')).toBe(MANY - 1);
});

test('a relation to a missing entry fails only its own create in a batch', async () => {
  const author = await client.create('authors', { name: 'Noor' });
  const { outcomes } = await createAtOnce('api::article.article', (index) => ({
    title: `Led astray ${index}`,
    author: index % 10 === 0 ? 999_000 + index : author,
  }));
  const refused = outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
  expect(refused).toEqual([0, 10, 20, 30]);
});

describe('concurrent reads of single entries', () => {
  test('share their commands, and each returns its own entry', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 4; index += 1) ids.push(await client.create('tags', { name: `Shared ${index}` }));
    const requestedIds = Array.from({ length: MANY }, (_, index) => ids[index % ids.length] ?? 0);
    let answers: readonly Answer[] = [];
    const commands = await commandsOf(client.service, async () => {
      answers = await Promise.all(requestedIds.map((id) => client.get(`/api/tags/${id}`)));
    });
    expect(answers.map(({ body }) => body.data)).toMatchObject(
      requestedIds.map((id, index) => ({ id, attributes: { name: `Shared ${index % ids.length}` } })),
    );
    expect(commands.filter((name) => name === 'find').length).toBeLessThan(MANY);
  });

  test('return entries that share no objects', async () => {
    const id = await client.create('articles', { title: 'Alone', meta: { list: [1] } });
    const { entries } = client.service;
    const found = await Promise.all([1, 2, 3].map(() => entries.findOne('api::article.article', id)));
    const parts = new Set(found.map((entry) => entry?.['meta']));
    expect([...parts]).toEqual([{ list: [1] }, { list: [1] }, { list: [1] }]);
  });

  test('return 404 only for the entry that does not exist', async () => {
    const id = await client.create('tags', { name: 'There' });
    const answers = await Promise.all([id, 999_001, id, 999_002].map((one) => client.get(`/api/tags/${one}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 404]);
  });

  test('are read one by one if they do not fit into one database reply', async () => {
    const text = 'x'.repeat(9_000_000);
    const ids = await Promise.all(
      ['a', 'b', 'c'].map(async (title) => {
        const { id } = await client.service.entries.create('api::article.article', { title, body: text });
        return id;
      }),
    );
    const { entries } = client.service;
    const found = await Promise.all(ids.map((id) => entries.findOne('api::article.article', id)));
    expect(found.map((entry) => [entry?.['title'], String(entry?.['body']).length])).toEqual([
      ['a', text.length],
      ['b', text.length],
      ['c', text.length],
    ]);
  });
});
