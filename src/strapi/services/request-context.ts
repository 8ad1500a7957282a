import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from 'koa';
import type { Strapi } from '../strapi.js';

/** `strapi.requestContext`: the context of the request at hand, from anywhere. */
export function createRequestContext(): Strapi['requestContext'] {
  const storage = new AsyncLocalStorage<Context>();
  return { run: storage.run.bind(storage), get: () => storage.getStore() };
}
