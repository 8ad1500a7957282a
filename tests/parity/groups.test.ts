import { describe, expect, test } from '@jest/globals';
import lodash from 'lodash';
import qs from 'qs';
import request from 'supertest';
import fc from '../support/fast-check.js';
import { isLocalized } from '../../src/content-types/model/localized.js';
import type { ContentType, ScalarType } from '../../src/content-types/model/types.js';
import { enumValues } from '../../src/graphql/schema/enums.js';
import type { Field, ValuePath } from '../../src/query/ast.js';
import { measures } from '../../src/query/measures.js';
import type { QueryInput } from '../../src/query/parse/input.js';
import { parseAggregate } from '../../src/query/parse/parse-aggregate.js';
import { choicesOf, type Choices } from '../property/choices.js';
import { folders, makeWorld, tape } from '../property/databases.js';
import { filledTypes } from '../property/random-data.js';
import { randomGroups } from '../property/random-groups.js';
import { declare, keyOf } from '../support/access.js';
import { limits } from '../support/golden.js';
import { minutes, scaled, seed } from '../support/scaled.js';
import { useService, type Answer } from '../support/service.js';
import { withoutIds } from './as-graphql.js';
import { withDollars } from './as-rest.js';
import { groupsAsGraphql } from './groups-as-graphql.js';
import { randomWish } from './random-request.js';

const REQUESTS = Number(process.env['QUERIES'] ?? scaled(60, 600));

const texts: ReadonlySet<ScalarType> = new Set(['date', 'datetime', 'time', 'timestamp']);

/** A value of the REST API as GraphQL writes it. */
function written(value: unknown, field: Field, result: ScalarType, isKey: boolean): unknown {
  if (value === null) return null;
  if (field.kind === 'id') return isKey ? String(value) : value;
  if (isKey && texts.has(field.type)) return String(value);
  if (result === 'enumeration') return [...enumValues(field)].find(([, one]) => one === value)?.[0];
  if (result === 'biginteger') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (result === 'timestamp') return new Date(Number(value)).toISOString();
  return value;
}

/** The groups of the REST API as GraphQL answers them. */
function asShown(groups: readonly Readonly<Record<string, any>>[], type: ContentType, input: QueryInput): unknown {
  const { aggregate } = parseAggregate(input, type, 'client', limits);
  const nested = (entries: readonly (readonly [string, unknown])[]): object => {
    const tree = {};
    for (const [path, value] of entries) lodash.setWith(tree, path.split('.'), value, Object);
    return tree;
  };
  const typeOf = ({ field }: ValuePath): ScalarType => (field.kind === 'id' ? 'integer' : field.type);
  return groups.map((group) => {
    const keys = (aggregate?.keys ?? []).map(({ name, path, part }) => {
      const value =
        part === undefined ? written(group['key'][name], path.field, typeOf(path), true) : group['key'][name];
      return [name, value] as const;
    });
    const functions = lodash.groupBy(aggregate?.measures, 'function');
    return {
      count: group['count'],
      ...(keys.length > 0 && { key: nested(keys) }),
      ...lodash.mapValues(functions, (list, name) =>
        nested(
          list.map(({ name: path, path: value }) => [
            path,
            written(group[name][path], value.field, measures[list[0]?.function ?? 'sum'].result(typeOf(value)), false),
          ]),
        ),
      ),
    };
  });
}

/** A request that both can say: GraphQL has operands of the type of a measure, and a page with a size. */
function randomInput(type: ContentType, choices: Choices): QueryInput {
  const { having, pagination, ...input } = randomGroups(type, choices);
  const { min: _min, ...conditions } = (having ?? {}) as QueryInput;
  return {
    ...input,
    ...(Object.keys(conditions).length > 0 && { having: conditions }),
    pagination: {
      ...(pagination as object),
      ...(lodash.isEqual(pagination, { pageSize: '1000' }) && { pageSize: '100' }),
    },
  };
}

const isOffered = ({ body }: Answer): boolean =>
  !JSON.stringify(body.errors ?? []).includes('GRAPHQL_VALIDATION_FAILED');

describe.each(folders)('with %s', (_name, contentTypes) => {
  const client = useService({
    contentTypes,
    environment: { DRAFTS: 'restricted' },
    plugins: { graphql: { config: { aggregation: true } }, strapi5: true, i18n: { config: { locales: ['en', 'fr'] } } },
  });
  const get = async (path: string, token: string): Promise<Answer> =>
    request(client.service.url).get(path).auth(token, { type: 'bearer' });
  const ask = async (path: string, query: string, token: string): Promise<Answer> =>
    request(client.service.url).post(path).auth(token, { type: 'bearer' }).send({ query });

  test(
    'REST and GraphQL return the same groups, in both forms, and refuse the same ones',
    async () => {
      await makeWorld(client.service, 80);
      const types = filledTypes(client.service.registry).filter(({ uid }) => uid.startsWith('api::'));
      const actions = types.flatMap(({ uid }) => [`${uid}.find`]);
      await declare(client.service, {}, { some: actions.filter((_, index) => index % 3 > 0), all: actions });
      const count = { answered: 0, refused: 0, groups: 0, 'not offered': 0 };
      for (const numbers of fc.sample(tape(800), { seed, numRuns: REQUESTS })) {
        const choices = choicesOf(numbers);
        const { type, listing } = randomWish(types, choices);
        const input = randomInput(type, choices);
        const token = choices.oneOf([client.service.token, keyOf('all'), keyOf('some')]);
        const state = type.draftAndPublish ? choices.oneOf(['live', 'preview']) : undefined;
        const locale = isLocalized(type) ? choices.oneOf(['en', 'fr', 'all']) : undefined;
        const filters = listing.filters;
        const compare = async (
          rest: Answer,
          graphql: Answer,
          groupsIn: (answer: any) => { readonly groups: unknown; readonly total: number },
          query: string,
        ): Promise<void> => {
          if (!isOffered(graphql)) {
            count['not offered'] += 1;
            return;
          }
          if (rest.status !== 200 || graphql.body.errors !== undefined) {
            count.refused += 1;
            const [refused] = (graphql.body.errors ?? []) as readonly { readonly message: string }[];
            const message = rest.status === 403 ? 'Forbidden access' : rest.body.error?.message;
            // Over REST Strapi 5 says where in a sort the name is.
            const withoutPlace = (text: string | undefined) => text?.replace(/ at [\w.]+$/, '');
            expect({ query, message: withoutPlace(refused?.message) }).toEqual({
              query,
              message: withoutPlace(message),
            });
            return;
          }
          const { groups, total } = groupsIn(Object.values(graphql.body.data)[0]);
          const expected = { groups: asShown(rest.body.data, type, input), total: rest.body.meta.pagination.total };
          expect({ query, groups, total }).toEqual({ query, ...expected });
          count.answered += 1;
          count.groups += (groups as readonly unknown[]).length;
        };
        const v4 = groupsAsGraphql(
          type,
          input,
          {
            filters,
            words: state === undefined ? {} : { publicationState: state.toUpperCase() },
            texts: locale === undefined ? {} : { locale },
          },
          (fields) => `{ data { ${fields} } meta { pagination { total } } }`,
        );
        const parameters = { ...input, ...(filters && { filters: withDollars(filters) }) };
        const path = `/${type.pluralName}/aggregate?`;
        await compare(
          await get(`/api${path}${qs.stringify({ ...parameters, publicationState: state, locale })}`, token),
          await ask('/graphql', v4, token),
          ({ data, meta }) => ({ groups: data, total: meta.pagination.total }),
          v4,
        );
        const status = choices.oneOf(['draft', 'published']);
        // Without the numbers of entries conditions would be left that say nothing.
        const ofEntries = filters && lodash.isEqual(withoutIds(filters), filters) ? filters : undefined;
        const one = locale === 'all' ? undefined : locale;
        const v5 = groupsAsGraphql(
          type,
          input,
          {
            filters: ofEntries,
            words: { status: status.toUpperCase() },
            texts: one === undefined ? {} : { locale: one },
          },
          (fields) => `{ nodes { ${fields} } pageInfo { total } }`,
        );
        const scope = { ...input, ...(ofEntries && { filters: withDollars(ofEntries) }), status, locale: one };
        await compare(
          await get(`/v5/api${path}${qs.stringify(scope)}`, token),
          await ask('/v5/graphql', v5, token),
          ({ nodes, pageInfo }) => ({ groups: nodes, total: pageInfo.total }),
          v5,
        );
      }
      expect(count.answered).toBeGreaterThan(REQUESTS / 3);
      expect(count.groups).toBeGreaterThan(count.answered);
      expect(count.refused).toBeGreaterThan(0);
    },
    minutes(5),
  );
});
