import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { ErrorLog } from '../../errors/error-log.js';
import type { GraphqlProject } from '../../plugins/contract/graphql/project.js';
import { formatError } from '../format-error.js';
import type { FormatError } from '../server-settings.js';
import { refuse } from './operation.js';

/** Makes an error fit for its client. */
export type Format = (error: GraphQLError) => GraphQLFormattedError;

/** Formats the errors of one request; without its response those that need no id. */
export type FormatErrors = (response?: ServerResponse) => Format;

/** Unexpected errors are logged in full; the client only gets the id in `X-Request-Id`. */
export function createFormatErrors(
  log: ErrorLog,
  last: FormatError = (formatted) => formatted,
  describe?: GraphqlProject['describeError'],
): FormatErrors {
  return (response) => {
    const report = (error: unknown): void => {
      const id = String(response?.getHeader('X-Request-Id') ?? randomUUID());
      response?.setHeader('X-Request-Id', id);
      log.error({ err: error, id }, 'A GraphQL request failed');
    };
    return (error) => {
      const formatted = formatError(error, report, describe);
      try {
        return last(formatted, error);
      } catch (mistake) {
        report(mistake);
        return formatted;
      }
    };
  };
}

/** An error as graphql-http serializes it, with `toJSON`. Errors that are not GraphQL errors concern the request itself. */
export const writeFormatted = (error: Error, format: Format): GraphQLError =>
  new FormattedError(format(error instanceof GraphQLError ? error : refuse(error.message)));

class FormattedError extends GraphQLError {
  readonly #formatted: GraphQLFormattedError;

  constructor(formatted: GraphQLFormattedError) {
    super(formatted.message);
    this.#formatted = formatted;
  }

  override toJSON(): GraphQLFormattedError {
    return this.#formatted;
  }
}
