import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { ErrorLog } from '../../../errors/error-log.js';
import { formatError } from '../format-error.js';
import type { FormatError } from '../server-settings.js';

/** For each request: makes an error fit for its client. */
export type FormatErrors = (response: ServerResponse) => (error: GraphQLError) => GraphQLError;

/** Errors that nobody expected are logged whole; what the client learns of them is the id in `X-Request-Id`. */
export function createFormatErrors(log: ErrorLog, last: FormatError = (formatted) => formatted): FormatErrors {
  return (response) => {
    const report = (error: unknown): void => {
      const id = String(response.getHeader('X-Request-Id') ?? randomUUID());
      response.setHeader('X-Request-Id', id);
      log.error({ err: error, id }, 'A GraphQL request failed');
    };
    const formatted = (error: GraphQLError): GraphQLFormattedError => {
      const known = formatError(error, report);
      try {
        return last(known, error);
      } catch (mistake) {
        report(mistake);
        return known;
      }
    };
    return (error) => {
      const shown = formatted(error);
      return Object.assign(new GraphQLError(error.message), { toJSON: () => shown });
    };
  };
}
