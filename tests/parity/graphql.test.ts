import { expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import { choicesOf } from '../property/choices.js';
import { filledTypes } from '../property/random-data.js';
import { makeWorld, tape } from '../property/databases.js';
import { useService } from '../support/service.js';
import { asGraphql } from './as-graphql.js';
import { asRest } from './as-rest.js';
import { randomWish } from './random-request.js';
import { readEntries } from './read-response.js';
import { scaled } from '../support/scaled.js';

const client = useService({ environment: { RESPONSE_CACHE: '1mb' } });
const QUERIES = Number(process.env['QUERIES'] ?? scaled(25, 200));

test('REST and GraphQL return the same entries for random queries', async () => {
  await makeWorld(client.service, 80);
  const types = filledTypes(client.service.registry).filter(({ uid }) => uid.startsWith('api::'));
  let found = 0;
  await fc.assert(
    fc.asyncProperty(tape(400), async (numbers) => {
      const wish = randomWish(types, choicesOf(numbers));
      const [path, query] = [asRest(wish), asGraphql(wish)];
      const rest = await client.get(path);
      const graphql = await client.graphql(query);
      expect({ query, errors: graphql.body.errors, error: rest.body.error }).toEqual({ query });
      // From the third response to a valid document on they are cached.
      for (let sent = 0; sent < 3; sent += 1) expect((await client.graphql(query)).text).toBe(graphql.text);
      for (let sent = 0; sent < 2; sent += 1) expect((await client.get(path)).text).toBe(rest.text);
      const [answer] = Object.values<{ data: [] }>(graphql.body.data);
      const entries = readEntries(answer?.data ?? [], wish.values, 'graphql');
      expect({ path, query, entries }).toEqual({
        path,
        query,
        entries: readEntries(rest.body.data, wish.values, 'rest'),
      });
      found += entries.length;
    }),
    { numRuns: QUERIES },
  );
  // Otherwise there was nothing to compare.
  expect(found).toBeGreaterThan(0);
});
