import { GraphQLError } from 'graphql';
import { AppError } from '../../errors/app-error.js';
import { isRecord } from '../../content-types/model/settings-schema.js';

/** The operation of a request or of an item of a batch; graphql-http checks variables and extensions. */
export interface Operation {
  /** Empty: there is none, or it is sent by its hash in `extensions`. */
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: unknown;
  readonly extensions: unknown;
}

/**
 * Reads an operation from JSON, from the parameters of an address or from a form, as Strapi v4 does: variables and extensions
 * may be JSON once more, and every name is a string.
 * @throws AppError badRequest where, as in Strapi v4, nothing of the whole request is read
 */
export function readOperation(input: unknown): Operation {
  const { query, operationName, variables, extensions } = isRecord(input) ? input : {};
  const parsed = parseJson(extensions, 'Extensions');
  if (query && typeof query !== 'string') throw new AppError('badRequest', notString(query));
  return {
    query: typeof query === 'string' ? query : '',
    operationName: nameOf(operationName),
    variables: parseJson(variables, 'Variables'),
    extensions: parsed,
  };
}

/** A name that is not a string is reported as unknown by what it is written as; objects may have no such form. */
function nameOf(name: unknown): string | undefined {
  if (name === undefined || name === null) return undefined;
  return isRecord(name) ? '[object Object]' : String(name);
}

/** The error for a query that is not a string; sending the output of `graphql-tag` is a common mistake. */
function notString(query: unknown): string {
  const message = 'GraphQL queries must be strings.';
  if (!isRecord(query) || query['kind'] !== 'Document') return message;
  return `${message} This one is already parsed: send the result of graphql's print()`;
}

/** The value of a JSON string; other values are returned unchanged. */
function parseJson(input: unknown, name: string): unknown {
  if (input === null || input === '') return undefined;
  if (typeof input !== 'string') return input;
  try {
    return JSON.parse(input) as unknown;
  } catch {
    throw new AppError('badRequest', `${name} are invalid JSON.`);
  }
}

/** An error of the request itself; Strapi v4 has this code for all of them. */
export const refuse = (message: string, code = 'INTERNAL_SERVER_ERROR'): GraphQLError =>
  new GraphQLError(message, { extensions: { code } });
