import { describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import { isLocalized } from '../../src/content-types/model/localized.js';
import type { Attribute, ContentType } from '../../src/content-types/model/types.js';
import { system, type Caller } from '../../src/documents/caller.js';
import { emptyQuery } from '../../src/documents/context.js';
import { presentList } from '../../src/documents/read-operation.js';
import { relationsOfFilter } from '../../src/documents/rights.js';
import { AppError, hasCode } from '../../src/errors/app-error.js';
import { NO_LIMIT, pathsOf, type Filter, type Query } from '../../src/query/ast.js';
import { plainEntry } from '../../src/query/entry-presenter.js';
import { parseAggregate } from '../../src/query/parse/parse-aggregate.js';
import { readableFields } from '../../src/query/parse/parse-selection.js';
import type { TestService } from '../../src/testing.js';
import { evaluateGroups, populateOf } from '../support/evaluate-groups.js';
import { limits } from '../support/golden.js';
import { minutes, scaled, seed } from '../support/scaled.js';
import { useService } from '../support/service.js';
import { choicesOf, type Choices } from './choices.js';
import { folders, tape } from './databases.js';
import { fillWorld, filledTypes, randomData } from './random-data.js';
import { randomFilter } from './random-filter.js';
import { randomGroups } from './random-groups.js';

const [WORLDS, REQUESTS] = [scaled(1, 10), scaled(300, 500)];

/** A caller with a rule for some types, who may not read some attributes, and not list some types. */
function randomCaller(types: readonly ContentType[], choices: Choices): Caller {
  const { chance } = choices;
  const limited = types.filter((type) => type.uid.startsWith('api::') && chance(40));
  const isOpen = (type: ContentType): boolean => !limited.includes(type) && !type.draftAndPublish;
  const rules = new Map<string, Filter | undefined>(
    limited.map((type) => {
      const candidates = Array.from({ length: 10 }, () => randomFilter(type, choices, []));
      const rule = candidates.find((filter) => relationsOfFilter(filter).every(({ target }) => isOpen(target)));
      return [`${type.uid}.find`, rule] as const;
    }),
  );
  const withheld = new Map<string, ReadonlySet<Attribute>>(
    types.map((type) => [`${type.uid}.find`, new Set([...type.attributes.values()].filter(() => chance(4)))] as const),
  );
  const closed = new Set(types.filter(() => chance(4)).map(({ uid }) => `${uid}.find`));
  const drafts = new Set(types.filter(() => chance(40)).map(({ uid }) => `${uid}.find.drafts`));
  return {
    kind: 'user',
    may: (action) => !closed.has(action) && !drafts.has(action),
    where: (action) => rules.get(action),
    withheld: (action): ReadonlySet<Attribute> | undefined => withheld.get(action),
  };
}

/** The result, or the error that answers it. */
const settled = async <T>(result: Promise<T>): Promise<T | string> =>
  result.catch((error: unknown) => {
    if (error instanceof AppError) return error.message;
    throw error;
  });

describe.each(folders)('with the content types of %s', (_, contentTypes) => {
  const client = useService({ contentTypes, environment: { DRAFTS: 'restricted' } });

  test(
    "groups are those of the caller's own list",
    async () => {
      const { service } = client;
      const { documents } = service;
      const locales = ['en', 'fr'].map((code) => ({ code, name: undefined, isDefault: code === 'en' }));
      await service.applyAccess({ roles: [], tokens: [], locales });
      const types = filledTypes(service.registry);
      const count = { requests: 0, refused: 0, groups: 0, several: 0, measured: 0, overlapping: 0 };
      for (let world = 0; world < WORLDS; world += 1) {
        const [numbers = [], ...tapes] = fc.sample(tape(6000), { seed: seed + world, numRuns: REQUESTS + 1 });
        await fillWorld(service, 80, choicesOf(numbers));
        await translate(service, types, choicesOf(numbers.toReversed()));
        for (const own of tapes) {
          const choices = choicesOf(own);
          const type = choices.oneOf(types);
          const caller = choices.chance(25) ? system : randomCaller(types, choices);
          const input = {
            ...randomGroups(type, choices),
            ...(choices.chance(40) && { publicationState: 'preview' }),
            ...(isLocalized(type) && choices.chance(60) && { locale: choices.oneOf(['all', 'fr', 'en']) }),
          };
          const request = `SEED=${seed} world ${world} ${type.singularName} ${JSON.stringify(input)}`;
          const parsed = parse(input, type);
          if (parsed === undefined) continue;
          const filter = choices.chance(40) ? randomFilter(type, choices, [1, 2, 3]) : undefined;
          const query = { ...parsed, filter };
          const answer = await settled(
            documents.read({ action: 'find', query, caller, presenter: plainEntry }, presentList),
          );
          const expected = await settled(evaluated(service, query, caller));
          count.requests += 1;
          if (typeof answer === 'string' || typeof expected === 'string') {
            count.refused += 1;
            expect({ request, answer }).toEqual({ request, answer: expected });
            continue;
          }
          const { total, entries } = answer;
          expect({ request, total, groups: entries }).toEqual({ request, ...expected });
          if (entries.length > 1) count.several += 1;
          if (parsed.aggregate?.measures.length) count.measured += 1;
          count.groups += entries.length;
        }
      }
      expect(count.refused).toBeLessThan(count.requests / 2);
      expect(count.several).toBeGreaterThan(count.requests / 5);
      expect(count.measured).toBeGreaterThan(count.requests / 3);
    },
    minutes(5),
  );

  function parse(input: object, type: ContentType): Query | undefined {
    try {
      return parseAggregate(input as never, type, 'client', { ...limits, maxLimit: 1000 });
    } catch (error) {
      // The generator does not know what would contradict itself.
      if (hasCode(error, 'invalidValue') || hasCode(error, 'tooCostly')) return undefined;
      throw error;
    }
  }

  async function evaluated({ documents }: TestService, { aggregate, ...query }: Query, caller: Caller) {
    const { type } = query;
    if (aggregate === undefined) throw new Error('There are no groups');
    const paths = pathsOf(aggregate);
    const asked = { action: 'find', caller, presenter: plainEntry } as const;
    const sort = paths.map((path) => ({ ...path, direction: 'ascending' as const }));
    const one = { form: 'offset', start: 0, limit: 1, withCount: false } as const;
    // A list that is sorted by the paths says whether the caller may use them.
    await documents.read({ ...asked, query: { ...query, sort: sort.slice(0, 10), pagination: one } }, presentList);
    const list: Query = {
      ...emptyQuery(type),
      filter: query.filter,
      publicationState: query.publicationState,
      parameters: query.parameters,
      fields: readableFields(type.attributes, 'client'),
      populate: populateOf(type, paths),
      pagination: { ...one, limit: NO_LIMIT },
    };
    const { entries } = await documents.read({ ...asked, query: list }, presentList);
    return evaluateGroups(entries as never, aggregate, query.pagination);
  }
});

/** Adds French localizations, some of them drafts. */
async function translate(service: TestService, types: readonly ContentType[], choices: Choices): Promise<void> {
  const empty = new Map(types.map(({ uid }) => [uid, [] as readonly number[]]));
  for (const type of types.filter(isLocalized)) {
    const ids = await service.entries.findMany(type.uid, {
      fields: ['id'],
      locale: 'all',
      publicationState: 'preview',
    });
    for (const { id } of ids as readonly { readonly id: number }[]) {
      if (!choices.chance(40)) continue;
      const data = randomData(type, { choices, ids: empty, serial: 1000 + id });
      await service.entries.create(type.uid, { ...data, locale: 'fr', localizations: [id] });
    }
  }
}
