import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BSON, type Db } from 'mongodb';
import { buildSchema, type GraphQLResolveInfo } from 'graphql';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ContentType, Registry, ScalarAttribute } from '../../src/content-types/model/types.js';
import { system } from '../../src/documents/caller.js';
import { emptyQuery } from '../../src/documents/context.js';
import { createResponseCache } from '../../src/documents/response/response-cache.js';
import { rememberQueries } from '../../src/graphql/execute/remember-queries.js';
import { createQueryDocuments } from '../../src/graphql/http/query-documents.js';
import { createQueryCache } from '../../src/graphql/http/operation.js';
import { parseSettings } from '../../src/graphql/settings.js';
import { createCountCache } from '../../src/mongo/cache/count-cache.js';
import { createIdCache } from '../../src/mongo/cache/id-cache.js';
import { createVersionedCache } from '../../src/mongo/cache/versioned-cache.js';
import { compileQuery } from '../../src/mongo/compile/read/compile-query.js';
import type { ReadPlan } from '../../src/mongo/compile/plan.js';
import { createEntryLoader } from '../../src/mongo/read/entry-loader.js';
import { createCompiledQueries } from '../../src/mongo/read/entry-reads.js';
import { createNaturalOrder } from '../../src/mongo/read/natural-order.js';
import { createTtlCache } from '../../src/plugins/contract/ttl-cache.js';
import type { Query } from '../../src/query/ast.js';
import { createCacheTags } from '../../src/query/cache-tags.js';
import { parseQuery } from '../../src/query/parse/parse-query.js';
import { createListParser } from '../../src/rest/read-actions.js';
import { readSourceFiles } from '../architecture/source-files.js';
import { asked, limits, loadCorpus } from '../support/golden.js';
import { versionsOf } from '../support/versions.js';

/**
 * What requests leave behind in memory is limited by what it holds. Each cache is filled with input that holds far more
 * than it looks, and much more of it than the cache may keep; then the heap is measured.
 */

const MEGABYTE = 2 ** 20;
let registry: Registry;
let type: ContentType;
beforeAll(async () => {
  registry = await loadCorpus();
  type = registry.contentTypes.get('api::article.article') as ContentType;
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** The bytes in use when nothing else happens. */
const heap = async (): Promise<number> => {
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  return process.memoryUsage().heapUsed;
};
/** Keeps a cache in memory. */
let kept: unknown;

const times = async (count: number, run: (index: number) => unknown): Promise<void> => {
  for (let index = 0; index < count; index += 1) await run(index);
};
/** A text that has nothing in common with others in memory. */
const long = (index: number, length = 10_000): string => Buffer.alloc(length, `${index} `).toString();
/** Names of the attributes of many types: what a query that populates all of them depends on. */
const dependenciesOf = (index: number): Map<string, Set<string>> =>
  new Map(
    Array.from({ length: 20 }, (_type, number) => [
      `api::type-${number}.type-${number}`,
      new Set(Array.from({ length: 20 }, (_name, name) => `attribute-${name}-${index % 2}`)),
    ]),
  );
const versions = versionsOf(Object.fromEntries([...dependenciesOf(0).keys()].map((uid) => [uid, '1'])));

interface Cache {
  /** Megabytes that it may hold. */
  readonly megabytes: number;
  /** Fills it, and returns it. */
  readonly fill: () => Promise<unknown>;
}

/** All caches, by the files that create them. */
const caches: Readonly<Record<string, Cache>> = {
  'graphql/http/query-documents.ts': {
    megabytes: 36,
    fill: async () => {
      const settings = parseSettings({});
      const schema = buildSchema('type Query { list(ids: [Int]): Int }');
      const documents = createQueryDocuments({ schema, ...settings, introspection: true });
      await times(40, (index) => {
        const query = `{list(ids:[${String([index, ...Array.from({ length: 8000 }, () => 1)])}])@skip(if:true)}`;
        for (const _time of [1, 2]) expect(documents.validate(documents.parse(query))).toEqual([]);
      });
      return documents;
    },
  },
  'graphql/http/operation.ts': {
    megabytes: 12,
    fill: async () => {
      const queryOf = createQueryCache({ ttl: undefined, cache: undefined });
      await times(60_000, async (index) => {
        const query = `{a${index}}`;
        const sha256Hash = createHash('sha256').update(query).digest('hex');
        const extensions = { persistedQuery: { version: 1, sha256Hash } };
        await queryOf({ query, extensions, operationName: undefined, variables: undefined });
      });
      return queryOf;
    },
  },
  'graphql/execute/remember-queries.ts': {
    megabytes: 24,
    fill: async () => {
      const remember = rememberQueries();
      const nodes: unknown[] = [];
      await times(500, (index) => {
        const info = { fieldNodes: [{}], fragments: {} } as unknown as GraphQLResolveInfo;
        nodes.push(info);
        const operands = Array.from({ length: 10_000 }, (_operand, number) => number + index + 0.5);
        const filter = { kind: 'comparison', field: { kind: 'id', name: 'id' }, operator: '$in', operands } as const;
        remember(info, {}, system, () => ({ ...emptyQuery(type), filter }));
      });
      return [remember, nodes];
    },
  },
  'rest/remember-parsed.ts': {
    megabytes: 24,
    fill: async () => {
      const parse = createListParser(limits);
      const compiled = createCompiledQueries();
      await times(1500, (index) =>
        compiled.identify([{ query: parse(type, asked(`populate=*&filters[id]=${index}`)) }]),
      );
      return [parse, compiled];
    },
  },
  'mongo/cache/count-cache.ts': {
    megabytes: 16,
    fill: async () => {
      const totals = createCountCache();
      const pagination = { form: 'offset', start: 0, limit: 1, withCount: true } as const;
      await times(5000, async (index) => {
        const plan = {
          before: [],
          count: { collection: long(index), filter: {}, dependencies: dependenciesOf(index) },
        };
        await totals.get(plan as unknown as ReadPlan, { entries: [{}], versions }, pagination, async () => index);
      });
      return totals;
    },
  },
  'mongo/cache/id-cache.ts': {
    megabytes: 24,
    fill: async () => {
      const lists = createIdCache();
      const [uid = ''] = versions.keys();
      await times(300, async (index) => {
        const query = { collection: long(index), pipeline: [], type: uid };
        await lists.get(query, versions, async () => Array.from({ length: 20_000 }, (_id, number) => number));
      });
      return lists;
    },
  },
  'mongo/cache/versioned-cache.ts': {
    megabytes: 8,
    fill: async () => {
      const cache = createVersionedCache<number>({ bytes: 4 * MEGABYTE, sizeOf: () => 8 });
      await times(3000, (index) => cache.set(`${index}`, { versions, dependencies: dependenciesOf(index) }, index));
      return cache;
    },
  },
  'documents/response/response-cache.ts': {
    megabytes: 16,
    fill: async () => {
      const cache = createResponseCache(4 * MEGABYTE);
      await times(3000, async (index) => {
        const contents = { shown: dependenciesOf(index), joins: [] };
        const key = { key: long(index), versions, dependencies: dependenciesOf(index), contents };
        for (const _time of [1, 2]) await cache.get(key, 'test', async () => ({ body: '{}', ids: () => new Map() }));
      });
      return cache;
    },
  },
  'mongo/read/entry-loader.ts': {
    megabytes: 8,
    fill: async () => {
      const find = createEntryLoader({ command: () => Promise.reject(new Error('none')) } as unknown as Db, 1000);
      await times(3000, async (index) => {
        const projection = Object.fromEntries(Array.from({ length: 200 }, (_, name) => [`field${name}of${index}`, 1]));
        await find({ collection: 'articles', path: '_id', value: 1, projection }).catch(() => undefined);
      });
      return find;
    },
  },
  'mongo/read/natural-order.ts': {
    megabytes: 8,
    fill: async () => {
      const cursor = BSON.serialize({ id: 0, ns: 'a.b', firstBatch: [{ count: 1 }] });
      const collection = { listIndexes: () => ({ toArray: async () => [] }) };
      const db = { command: async () => ({ cursor }), collection: () => collection } as unknown as Db;
      const order = createNaturalOrder(1000);
      const searched = parseQuery({ filters: { title: { $contains: 'a' } } }, type, 'client', limits);
      await times(1500, async (index) => order(db, type, compileQuery(inLocale(searched, long(index)))));
      return order;
    },
  },
  'query/cache-tags.ts': {
    megabytes: 8,
    fill: async () => {
      const tags = createCacheTags('secret', 100);
      await times(3000, (index) => tags.ofChanges([{ type: 'a', id: 1, names: [long(index)], links: {} }]));
      return tags;
    },
  },
  'plugins/contract/ttl-cache.ts': {
    // The keys are at most as long as a header.
    megabytes: 20,
    fill: async () => {
      const cache = createTtlCache(1000, async (_key: string) => undefined);
      await times(5000, async (index) => cache.get(long(index)));
      return cache;
    },
  },
};

/** The list in one locale, which a client names. */
function inLocale(query: Query, locale: string): Query {
  const field = { ...(query.type.attributes.get('title') as ScalarAttribute), name: 'locale' };
  const isIn = { kind: 'comparison', field, operator: '$eq', operands: [locale] } as const;
  return { ...query, filter: { kind: 'and', filters: [isIn, ...(query.filter ? [query.filter] : [])] } };
}

/** What makes caches and readers of bodies, and the files that may do so. */
const makers: Readonly<Record<string, readonly [pattern: RegExp, files: readonly string[]]>> = {
  'a cache': [
    /\bcreate(?:Sized|Versioned)Cache(?:<.*>)?\((?!<)|\bnew LRUCache\b/,
    [...Object.keys(caches), 'query/sized-cache.ts'],
  ],
  // What is stored for tokens, users, roles, locales and dependencies.
  'a cache of a number of values': [
    /(?<!function )\bcreateTtlCache\b.*\(/,
    [
      'app/operations/operate.ts',
      'plugins/api-tokens/api-tokens.ts',
      'plugins/i18n/i18n.ts',
      'plugins/users-permissions/auth/user-cache.ts',
    ],
  ],
  // For each of two kinds of text comparison, for each schema, for each form of the API, for each file of Strapi's
  // packages that code of the project loads, for each version of Strapi, and for each content type.
  'a memory without a limit': [
    /\blodash\.memoize\(|\bmemoizeOne\b/,
    [
      'graphql/plugin.ts',
      'mongo/compile/filter/text-patterns.ts',
      'plugins/documentation/documentation.ts',
      'strapi/modules/strapi-modules.ts',
      'strapi/project/find-uses.ts',
      'strapi/strapi5/documents.ts',
    ],
  ],
  'a reader of bodies': [
    /\bexpress\.(?:json|urlencoded|text|raw)\(|\bmulter\(|\b(?:request|message|req)\.(?:on|once)\('data'/,
    ['plugins/contract/http/receive-bodies.ts', 'plugins/upload/forms/read-form.ts'],
  ],
};

test.each(Object.entries(makers))('%s is in the list', (_what, [pattern, files]) => {
  const found = readSourceFiles().filter(({ name, text }) => !name.startsWith('cli/') && pattern.test(text));
  expect(found.map(({ name }) => name)).toEqual([...files].toSorted());
});

describe('hostile requests fill a cache with a limited number of megabytes', () => {
  test.each(Object.entries(caches))('%s', async (_file, { megabytes, fill }) => {
    const before = await heap();
    kept = await fill();
    const after = await heap();
    expect(kept).toBeDefined();
    kept = undefined;
    expect((after - before) / MEGABYTE).toBeLessThan(megabytes);
  });
});
