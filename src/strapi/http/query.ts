import type Koa from 'koa';
import qs from 'qs';
import { parseQueryString } from '../../rest/query-string.js';

/** What a request has read of its query strings. */
interface Remembering {
  querystring: string;
  parsedQueries?: Map<string, unknown>;
}

/**
 * `strapi::query`: `ctx.query` with nested brackets. What is changed in it stays changed, and what is put in its place becomes texts, as
 * in Strapi v4.
 */
export function parseQueries(app: Koa): void {
  Object.defineProperty(app.request, 'query', {
    configurable: true,
    enumerable: true,
    get(this: Remembering) {
      const { querystring } = this;
      this.parsedQueries ??= new Map();
      if (!this.parsedQueries.has(querystring)) this.parsedQueries.set(querystring, parseQueryString(querystring));
      return this.parsedQueries.get(querystring);
    },
    set(this: Remembering, query: unknown) {
      this.querystring = qs.stringify(query);
    },
  });
}
