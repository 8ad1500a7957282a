import { describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import qs from 'qs';
import request from 'supertest';
import type { ContentType } from '../../src/content-types/model/types.js';
import { anonymous, system, type Caller } from '../../src/documents/caller.js';
import { emptyQuery } from '../../src/documents/context.js';
import { presentList } from '../../src/documents/read-operation.js';
import { plainEntry } from '../../src/query/entry-presenter.js';
import { asGraphql, asStrapi5Graphql } from '../parity/as-graphql.js';
import { asRest } from '../parity/as-rest.js';
import { asStrapi5 } from '../parity/as-strapi5.js';
import { randomWish } from '../parity/random-request.js';
import { useService } from '../support/service.js';
import { choicesOf, type Choices } from './choices.js';
import { describeFilter, randomFilter } from './random-filter.js';
import { randomQueryInput } from './random-query-input.js';
import { filledTypes } from './random-data.js';
import { minutes, scaled, seed } from '../support/scaled.js';
import { folders, makeWorld, tape } from './databases.js';

const QUERIES = Number(process.env['QUERIES'] ?? scaled(20, 100));

/** Who may read everything but drafts. */
const reader: Caller = { ...anonymous, kind: 'user', may: (action) => !action.endsWith('.find.drafts') };
const KEY = 'key-of-a-reader-without-drafts';

/** A morph list is empty rather than absent where the caller may see none of its entries, whatever the reason. */
const withoutEmptyLists = (reading: unknown): unknown =>
  JSON.parse(
    JSON.stringify(reading, (_key, value: unknown) => (Array.isArray(value) && value.length === 0 ? undefined : value)),
  );

type Reading = Readonly<
  Record<'filter' | 'found' | 'input' | 'random' | 'wish' | 'rest' | 'graphql' | 'strapi5' | 'strapi5Graphql', unknown>
>;

describe.each(folders)('with the content types of %s', (_, contentTypes) => {
  const client = useService({
    contentTypes,
    plugins: { strapi5: true },
    environment: { DRAFTS: 'restricted', REST_ENTRY_META: 'false' },
  });

  // Two services answer each of the random queries.
  test(
    'S16: a caller without the permission gets responses as if drafts did not exist',
    async () => {
      const { service } = client;
      const { world } = await makeWorld(service, 90);
      const types = filledTypes(service.registry);
      const own = types.filter(({ uid }) => uid.startsWith('api::'));
      const permissions = types.flatMap(({ uid }) =>
        uid.startsWith('api::') ? [`${uid}.find`, `${uid}.findOne`] : [`plugin::upload.content-api.find`],
      );
      const token = { name: 'reader', key: KEY, type: 'custom', description: undefined, expiresAt: undefined } as const;
      await service.applyAccess({ roles: [], tokens: [{ ...token, permissions }], locales: [] });
      // Three of four entries become drafts, so that there is much to hide.
      const drafts = own
        .filter(({ draftAndPublish }) => draftAndPublish)
        .flatMap((type) => (world.get(type.uid) ?? []).map((row, index) => ({ type, row, index })))
        .filter(({ row, index }) => row['publishedAt'] === undefined || index % 4 !== 3)
        .map(({ type, row }) => [type, Number(row['_id'])] as const);
      for (const [{ uid }, id] of drafts) await service.entries.update(uid, id, { publishedAt: null });
      const ids = [...world.values()].flat().map((entry) => Number(entry['_id']));

      const asReader = readings(own, ids, async (path) => get(path, KEY), reader);
      const unrestrictedly = readings(own, ids, async (path) => get(path, service.token), system);
      const tapes = fc.sample(tape(400), { numRuns: QUERIES });
      const found: Reading[] = [];
      let telling = 0;
      for (const numbers of tapes) {
        const hidden = await asReader(choicesOf(numbers));
        const { random: _, ...all } = await unrestrictedly(choicesOf(numbers));
        // Their rights differ in what random parameters lead to, not in these.
        const { random: __, ...same } = hidden;
        if (JSON.stringify(all) !== JSON.stringify(same)) telling += 1;
        found.push(hidden);
      }

      for (const [type, id] of drafts) {
        expect((await get(`/api/${type.pluralName}/${id}`, KEY)).status).toBe(404);
        await service.entries.delete(type.uid, id);
      }
      for (const [index, numbers] of tapes.entries()) {
        const expected = await asReader(choicesOf(numbers));
        expect({ seed, index, found: withoutEmptyLists(found[index]) }).toEqual({
          seed,
          index,
          found: withoutEmptyLists(expected),
        });
      }
      // Otherwise the queries do not come across drafts.
      expect(drafts.length).toBeGreaterThan(0);
      expect(telling).toBeGreaterThan(0);

      function get(path: string, key: string): request.Test {
        return request(service.url).get(path).auth(key, { type: 'bearer' });
      }

      /**
       * Reads a list in six ways: by a filter of any form, by random parameters, and one wish over both transports in
       * both forms.
       */
      function readings(
        types: readonly ContentType[],
        ids: readonly number[],
        get: (path: string) => Promise<request.Response>,
        caller: Caller,
      ): (choices: Choices) => Promise<Reading> {
        return async (choices) => {
          const type = choices.oneOf(types);
          const filter = randomFilter(type, choices, ids);
          const pagination = { form: 'offset', start: 0, limit: 1000, withCount: true } as const;
          const query = { ...emptyQuery(type), filter, pagination, publicationState: 'preview' } as const;
          const found = await service.documents.read(
            { action: 'find', query, caller, presenter: plainEntry },
            presentList,
          );
          const input = qs.stringify({ ...randomQueryInput(type, choices), publicationState: 'preview' });
          const wish = randomWish(types, choices);
          const { body: random } = await get(`/api/${type.pluralName}?${input}`);
          const { body: rest } = await get(asRest(wish));
          const { body: graphql } = await get(`/graphql?${qs.stringify({ query: asGraphql(wish) })}`);
          const status = choices.oneOf(['draft', 'published'] as const);
          const { body: strapi5 } = await get(asStrapi5(wish, status));
          const document = qs.stringify({ query: asStrapi5Graphql(wish, status) });
          const { body: strapi5Graphql } = await get(`/v5/graphql?${document}`);
          const filtered = describeFilter(filter);
          return { filter: filtered, found, input, random, wish: asRest(wish), rest, graphql, strapi5, strapi5Graphql };
        };
      }
    },
    minutes(5),
  );
});
