import { expect } from '@jest/globals';
import request from 'supertest';
import type { Client } from '../../../../tests/support/service.js';

// Tests state what they expect of an answer.
/* oxlint-disable typescript/no-explicit-any */
interface Answer {
  readonly data?: any;
  readonly errors?: any;
}

/** Sends GraphQL to Strapi 5's address, as the caller with all permissions or that of a token; empty: as the public. */
export function asker(rest: Client) {
  const ask = async (query: string, variables: object = {}, token = rest.service.token): Promise<Answer> => {
    const sent = request(rest.service.url).post('/v5/graphql');
    if (token !== '') void sent.set('authorization', `Bearer ${token}`);
    return (await sent.send({ query, variables })).body as Answer;
  };
  /** The data of an answer without errors. */
  const data = async (...asked: Parameters<typeof ask>): Promise<any> => {
    const answer = await ask(...asked);
    expect(answer.errors).toBeUndefined();
    return answer.data;
  };
  return Object.assign(ask, { data });
}
