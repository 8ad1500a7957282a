import request from 'supertest';
import type { TestService } from '../../src/testing.js';

export interface GraphqlAnswer {
  // A test says what it expects; anything may come.
  readonly data: any; // oxlint-disable-line typescript/no-explicit-any
  readonly errors?: readonly { readonly message: string }[];
}

/** Sends a GraphQL document with all rights, or as whoever the token stands for; `''`: as nobody. */
export async function askGraphql(
  { service }: { readonly service: TestService },
  query: string,
  { token = service.token, variables }: { readonly token?: string; readonly variables?: unknown } = {},
): Promise<GraphqlAnswer> {
  const sending = request(service.url).post('/graphql');
  const authorised = token === '' ? sending : sending.auth(token, { type: 'bearer' });
  const { body } = await authorised.send({ query, variables });
  return body as GraphqlAnswer;
}
