import lodash from 'lodash';
import type { Anything, Named } from '../strapi.js';
import { errors } from './errors.js';
import { isAbsent } from '../../config/record.js';

type Handler = (context: Anything) => unknown;

/** A list of functions that are called together. */
interface Hook {
  getHandlers(): readonly Handler[];
  register(handler: Handler): Hook;
  delete(handler: Handler): Hook;
  call(context?: unknown): unknown;
}

function createHook(
  call: (handlers: readonly Handler[], context: unknown) => unknown = () => {
    throw new Error('Method not implemented');
  },
): Hook {
  let handlers: readonly Handler[] = [];
  const hook: Hook = {
    getHandlers: () => handlers,
    register: (handler) => {
      handlers = [...handlers, handler];
      return hook;
    },
    delete: (handler) => {
      handlers = handlers.filter((other) => other !== handler);
      return hook;
    },
    call: (context) => call(handlers, context),
  };
  return hook;
}

const createAsyncSeriesHook = (): Hook =>
  createHook(async (handlers, context) => {
    for (const handler of handlers) await handler(context);
  });

const createAsyncParallelHook = (): Hook =>
  createHook(async (handlers, context) => Promise.all(handlers.map((handler) => handler(lodash.cloneDeep(context)))));

/** `hooks` of `@strapi/utils`. */
export const hooks = {
  internals: { createHook: () => createHook() },
  createAsyncSeriesHook,
  createAsyncParallelHook,
  createAsyncSeriesWaterfallHook: (): Hook =>
    createHook(async (handlers, context) => {
      let result = context;
      for (const handler of handlers) result = await handler(result);
      return result;
    }),
  createAsyncBailHook: (): Hook =>
    createHook(async (handlers, context) => {
      for (const handler of handlers) {
        const result = await handler(context);
        if (result !== undefined) return result;
      }
      return undefined;
    }),
};

/** `providerFactory` of `@strapi/utils`: values under keys, with hooks before and after changes. */
export function providerFactory({ throwOnDuplicates = true }: { readonly throwOnDuplicates?: boolean } = {}) {
  const registry = new Map<unknown, unknown>();
  const provided = {
    willRegister: createAsyncSeriesHook(),
    didRegister: createAsyncParallelHook(),
    willDelete: createAsyncParallelHook(),
    didDelete: createAsyncParallelHook(),
  };
  const provider = {
    hooks: provided,
    register: async (key: unknown, value: unknown) => {
      if (throwOnDuplicates && registry.has(key)) throw new Error(`Duplicated item key: ${String(key)}`);
      await provided.willRegister.call({ key, value });
      registry.set(key, value);
      await provided.didRegister.call({ key, value });
      return provider;
    },
    delete: async (key: unknown) => {
      if (!registry.has(key)) return provider;
      const value = registry.get(key);
      await provided.willDelete.call({ key, value });
      registry.delete(key);
      await provided.didDelete.call({ key, value });
      return provider;
    },
    get: (key: unknown) => registry.get(key),
    values: () => [...registry.values()],
    keys: () => [...registry.keys()],
    has: (key: unknown) => registry.has(key),
    size: () => registry.size,
    clear: async () => {
      for (const key of registry.keys()) await provider.delete(key);
      return provider;
    },
  };
  return provider;
}

interface Range {
  readonly start: number;
  readonly limit: number;
}

interface PaginationOptions {
  readonly defaults?: { readonly offset?: Partial<Range>; readonly page?: { page?: number; pageSize?: number } };
  /** -1 for no maximum. */
  readonly maxLimit?: number;
}

const withinBounds = ({ start, limit }: Range, maxLimit: number): Range => {
  const atLeastOne = limit === -1 ? limit : Math.max(limit, 1);
  return {
    start: Math.max(start, 0),
    limit: maxLimit === -1 || atLeastOne < maxLimit ? atLeastOne : maxLimit,
  };
};

function rangeOf(
  { start, limit, page, pageSize }: Named,
  { offset, page: pages }: PaginationOptions['defaults'] = {},
): Range {
  if (!isAbsent(page) || !isAbsent(pageSize)) {
    const size = Math.max(1, Number(pageSize ?? 0));
    return { start: ((page ?? pages?.page ?? 1) - 1) * size, limit: size };
  }
  return { start: start ?? offset?.start ?? 0, limit: limit ?? offset?.limit ?? 10 };
}

/** `pagination.withDefaultPagination` of `@strapi/utils`: a page as `start` and `limit`. @throws PaginationError */
function withDefaultPagination(args: Named, { defaults, maxLimit = -1 }: PaginationOptions = {}): Named {
  const byPage = !isAbsent(args['page']) || !isAbsent(args['pageSize']);
  const byOffset = !isAbsent(args['start']) || !isAbsent(args['limit']);
  if (byPage && byOffset) {
    throw new errors.PaginationError('Cannot use both page & offset pagination in the same query');
  }
  const { start, limit } = rangeOf(args, defaults);
  const range = { start, limit: limit === -1 && (byPage || byOffset) ? maxLimit : limit };
  return { ...lodash.omit(args, ['start', 'limit', 'page', 'pageSize']), ...withinBounds(range, maxLimit) };
}

/** `pagination` of `@strapi/utils`. */
export const pagination = { withDefaultPagination };
