import { GraphQLError } from 'graphql';
import { isRecord } from '../../../content-types/shapes.js';

/** What one request, or one item of a batch, wants executed. */
export interface Operation {
  /** Undefined: it is sent by its hash in `extensions`. */
  readonly query: string | undefined;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/**
 * Reads an operation from JSON, from the parameters of an address or from a form.
 * @throws GraphQLError naming what is wrong
 */
export function parseOperation(given: unknown): Operation {
  if (!isRecord(given)) throw refuse('GraphQL operations must be objects');
  const { query, operationName } = given;
  const extensions = parseRecord(given['extensions'], 'extensions') ?? {};
  const isMissing = query === undefined || query === null || query === '';
  if (isMissing && extensions['persistedQuery'] === undefined) {
    throw refuse('GraphQL operations must contain a non-empty `query` or a `persistedQuery` extension.');
  }
  if (!isMissing && typeof query !== 'string') throw refuse('GraphQL queries must be texts');
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw refuse('operationName must be a text');
  }
  return {
    query: isMissing ? undefined : query,
    operationName: operationName || undefined,
    variables: parseRecord(given['variables'], 'variables'),
    extensions,
  };
}

/** An object, or JSON of one; null is none. */
function parseRecord(given: unknown, name: string): Readonly<Record<string, unknown>> | undefined {
  let value = given;
  if (typeof given === 'string' && given !== '') {
    try {
      value = JSON.parse(given) as unknown;
    } catch {
      throw refuse(`${name} are no JSON`);
    }
  }
  if (value === undefined || value === null || value === '') return undefined;
  if (!isRecord(value)) throw refuse(`${name} must be an object`);
  return value;
}

/** An error of the request itself; Strapi v4 has this code for all of them. */
export const refuse = (message: string, code = 'INTERNAL_SERVER_ERROR'): GraphQLError =>
  new GraphQLError(message, { extensions: { code } });
