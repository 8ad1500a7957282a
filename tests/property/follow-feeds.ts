import { createServer } from 'node:http';
import qs from 'qs';
import request from 'supertest';
import type { ContentType } from '../../src/content-types/model/types.js';
import type { TestService } from '../../src/testing.js';
import type { Choices } from './choices.js';
import { randomQueryInput } from './random-query-input.js';

/** A page of the change feed, or its refusal. */
interface FeedPage {
  readonly data: readonly { readonly uid: string; readonly id: number }[] | null;
  readonly meta: { readonly position: string };
}

export interface Follower {
  /** The present end of the feed. */
  position(): Promise<string>;
  /**
   * The entries that the feed of each type reports after a position, as `uid id`: with all entries, and with random
   * parameters.
   */
  reported(types: readonly ContentType[], since: string, choices: Choices): Promise<readonly string[]>;
}

/** Follows the change feed of a service by polling. */
export function createFollower(service: TestService, key: string): Follower {
  const read = async (query: object): Promise<FeedPage> => {
    const { body } = await request(createServer({ maxHeaderSize: 1 << 20 }, service.handler))
      .get(`/api/changes?${qs.stringify({ ...query, wait: 0 })}`)
      .set('Accept', 'application/json')
      .auth(key, { type: 'bearer' });
    return body as FeedPage;
  };
  return {
    position: async () => (await read({})).meta.position,
    reported: async (types, since, choices) => {
      const reported: string[] = [];
      for (const type of types) {
        const { filters, fields, populate } = randomQueryInput(type, choices);
        const own = Object.entries({ filters, fields, populate }).filter(([, value]) => value !== undefined);
        const view = Object.fromEntries(own.map(([name, value]) => [name, { [type.uid]: value }]));
        for (const query of [{}, view]) {
          const { data } = await read({ ...query, since, types: type.uid });
          reported.push(...(data ?? []).map(({ uid, id }) => `${uid} ${id}`));
        }
      }
      return reported;
    },
  };
}
