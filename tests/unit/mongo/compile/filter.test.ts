import { describe, expect, test } from '@jest/globals';
import type { ContentType, RelationAttribute } from '../../../../src/content-types/model/types.js';
import { compileCount } from '../../../../src/mongo/compile/read/compile-query.js';
import { compileFilter } from '../../../../src/mongo/compile/filter/filter.js';
import type { IdQuery } from '../../../../src/mongo/compile/filter/semi-join.js';
import type { Filter } from '../../../../src/query/ast.js';
import { loadCorpus, parse, typeOf } from '../../../support/golden.js';

const live: Filter = { kind: 'live' };
const not = (filter: Filter): Filter => ({ kind: 'not', filter });

function compiled(filter: Filter): { readonly condition: object; readonly before: readonly object[] } {
  const before: IdQuery[] = [];
  const condition = compileFilter(filter, before);
  return { condition, before: before.map(({ pipeline }) => pipeline[0] ?? {}) };
}

async function relationOf(name: string, attribute: string): Promise<RelationAttribute> {
  const found = typeOf(await loadCorpus(), name).attributes.get(attribute);
  if (found?.kind !== 'relation') throw new Error(`${attribute} is no relation`);
  return found;
}

describe('the condition that entries are published', () => {
  test('is one equality that an index can serve', () => {
    expect(compiled(live).condition).toEqual({ _live: 1 });
  });

  test('within $not matches drafts', () => {
    expect(compiled(not(live)).condition).toEqual({ _live: null });
  });

  test('behind a relation does not match an entry without a target', async () => {
    const attribute = await relationOf('page', 'featuredArticle');
    expect(compiled({ kind: 'related', attribute, filter: live })).toEqual({
      before: [{ $match: { _live: 1 } }],
      condition: { featuredArticle: { $in: { $ids: 0 } } },
    });
  });

  test('behind a relation within $not matches an entry without a target', async () => {
    const attribute = await relationOf('page', 'featuredArticle');
    expect(compiled(not({ kind: 'related', attribute, filter: live }))).toEqual({
      before: [{ $match: { _live: null } }],
      condition: {
        $or: [{ featuredArticle: { $in: { $ids: 0 } } }, { featuredArticle: { $exists: false } }],
      },
    });
  });
});

test.each([
  ['filters[author][name]=a', ['api::author.author']],
  // The names of users select authors, so that the ids of authors depend on both.
  ['filters[author][account][username]=a', ['plugin::users-permissions.user', undefined]],
  ['filters[$not][author][name]=a', ['api::author.author']],
  ['filters[related][title]=a', ['api::article.article']],
])('the ids for %s depend on one type, or on the ids before them', async (query, types) => {
  const { before } = countOf(query, typeOf(await loadCorpus(), 'article'));
  expect(before.map(({ type }) => type)).toEqual(types);
});

const countOf = (query: string, type: ContentType): ReturnType<typeof compileCount> =>
  compileCount(type, parse(query, type).filter);

describe('a count', () => {
  test('depends on every involved content type once', async () => {
    const { count, before } = countOf(
      'filters[$or][0][author][account][username]=a&filters[$or][1][author][name]=b&filters[$or][2][related][title]=c',
      typeOf(await loadCorpus(), 'article'),
    );
    expect([...count.dependencies]).toEqual([
      ['api::article.article', new Set(['id', 'author', 'related', 'title'])],
      ['api::author.author', new Set(['id', 'account', 'name'])],
      ['plugin::users-permissions.user', new Set(['id', 'username'])],
    ]);
    expect(before).toHaveLength(4);
  });

  test('without a filter counts all entries', async () => {
    const { count, before } = countOf('', typeOf(await loadCorpus(), 'tag'));
    expect(count).toEqual({
      collection: 'tags',
      source: [],
      filter: {},
      dependencies: new Map([['api::tag.tag', new Set(['id'])]]),
    });
    expect(before).toEqual([]);
  });
});
