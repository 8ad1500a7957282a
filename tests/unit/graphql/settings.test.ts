import { describe, expect, test } from '@jest/globals';
import { parseSettings } from '../../../src/graphql/settings.js';

describe('the settings of the GraphQL plugin', () => {
  test('default to those of Strapi v4', () => {
    expect(parseSettings({})).toMatchObject({
      endpoint: '/graphql',
      shadowCRUD: true,
      playground: undefined,
      entries: { defaultLimit: 10, maxLimit: 100 },
      artifacts: { schema: undefined, typegen: undefined },
      server: { introspection: undefined, csrfPrevention: false, persistedQueries: {} },
    });
  });

  test('accept the settings of Strapi v4', () => {
    const cache = { get: async () => undefined, set: async () => undefined };
    const rule = () => ({});
    const read = parseSettings({
      endpoint: '/content/graphql',
      subscriptions: false,
      amountLimit: 200,
      maxLimit: 50,
      depthLimit: 7,
      generateArtifacts: true,
      artifacts: { schema: 'schema.graphql', typegen: false },
      apolloServer: { introspection: false, validationRules: [rule], cache, persistedQueries: { ttl: 60 } },
    });
    expect(read).toMatchObject({
      endpoint: '/content/graphql',
      entries: { defaultLimit: 10, maxLimit: 50 },
      limits: { depth: 7, batch: 10 },
      artifacts: { schema: 'schema.graphql', typegen: undefined },
      server: { introspection: false, validationRules: [rule], persistedQueries: { ttl: 60, cache } },
    });
    expect(parseSettings({ maxLimit: 150 }).entries).toEqual({ defaultLimit: 10, maxLimit: 150 });
    expect(parseSettings({ defaultLimit: 150 }).entries).toEqual({ defaultLimit: 150, maxLimit: 150 });
    expect(parseSettings({ defaultLimit: 150, maxLimit: 50 }).entries).toEqual({ defaultLimit: 50, maxLimit: 50 });
    expect(parseSettings({ maxLimit: -1, amountLimit: 5 }).entries).toEqual({ defaultLimit: 5, maxLimit: 5 });
    expect(
      [{ playgroundAlways: true }, { landingPage: true }, { landingPage: false }].map(
        (one) => parseSettings(one).playground,
      ),
    ).toEqual([true, true, false]);
    expect(parseSettings({ apolloServer: { cache: 'bounded' } }).server.persistedQueries).toEqual({});
    expect(parseSettings({ apolloServer: { persistedQueries: false } }).server.persistedQueries).toBeUndefined();
    const off = parseSettings({ generateArtifacts: false, artifacts: { schema: 'schema.graphql' } });
    expect(off.artifacts.schema).toBeUndefined();
  });

  test.each([
    [{ endpoint: 'graphql' }, 'config.endpoint "graphql" must be a path that begins with /'],
    [{ endpoint: '/api/graphql' }, 'config.endpoint "/api/graphql" must be a path'],
    [{ subscriptions: true }, 'config.subscriptions true has no effect: EVENTS=true offers subscriptions to changes'],
    [{ depthLimit: 0 }, 'config.depthLimit 0 must be a positive integer'],
    [{ amountLimit: '5' }, 'config.amountLimit "5" must be a positive integer'],
    [{ maxLimit: -2 }, 'config.maxLimit -2 must be'],
    [{ federation: true }, 'config.federation is not supported; allowed: endpoint, shadowCRUD'],
    [{ artifacts: { types: 'x' } }, 'config.artifacts.types is not supported; allowed: schema, typegen'],
    [
      { apolloServer: { plugins: [] } },
      'config.apolloServer.plugins is not supported; allowed: introspection, tracing',
    ],
    [{ apolloServer: { cache: 'memory' } }, 'config.apolloServer.cache "memory" must be "bounded" or'],
    [{ apolloServer: { formatError: 'x' } }, 'config.apolloServer.formatError "x" must be a function'],
    [{ apolloServer: { validationRules: ['x'] } }, 'config.apolloServer.validationRules must be a list of functions'],
    [
      { apolloServer: { persistedQueries: { store: 1 } } },
      'persistedQueries.store is not supported; allowed: ttl, cache',
    ],
  ])('%j are refused', (config, line) => {
    expect(() => parseSettings(config)).toThrow(line);
  });

  test('are checked together', () => {
    expect(() => parseSettings({ shadowCRUD: 1, batchLimit: 0 })).toThrow(/config\.shadowCRUD.*\n.*config\.batchLimit/);
  });
});
