import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Logger } from '../../errors/logger.js';
import type { GraphqlProject } from '../../plugins/contract/graphql/project.js';
import type { FormatError } from '../settings.js';
import { AppError } from '../../errors/app-error.js';
import { answerOf } from '../../errors/codes.js';
import { shorten } from '../../errors/shorten.js';

export type Format = (error: GraphQLError) => GraphQLFormattedError;

/** Formats the errors of one request; without its response those that need no id. */
export type FormatErrors = (response?: ServerResponse) => Format;

/** Unexpected errors are logged in full; the client only gets the id in `X-Request-Id`. */
export function createFormatErrors(
  log: Pick<Logger, 'error'>,
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
        return printable(last(formatted, error));
      } catch (mistake) {
        report(mistake);
        return formatted;
      }
    };
  };
}

/** As in Strapi v4, `formatError` can return any error, of which JSON would have nothing; those of GraphQL know their form. */
function printable(shown: GraphQLFormattedError): GraphQLFormattedError {
  if (!(shown instanceof Error) || shown instanceof GraphQLError) return shown;
  const { message, locations, path, extensions } = shown as GraphQLFormattedError;
  return { message, ...(locations && { locations }), ...(path && { path }), ...(extensions && { extensions }) };
}

/** Maximum length of a message: some messages of graphql-js quote the request. */
const MAX_CHARACTERS = 400;
/** Maximum places of an error in a document: it may repeat a name thousands of times. */
const MAX_LOCATIONS = 10;

/**
 * An error in Strapi v4's format. Errors of the service are complete and, as recorded, without path and locations; GraphQL
 * errors are unchanged, and so are errors of project code that are meant for the client. Any other error is passed to `report`, and the client
 * gets no details.
 */
function formatError(
  error: GraphQLError,
  report: (error: unknown) => void,
  describe?: GraphqlProject['describeError'],
): GraphQLFormattedError {
  const { originalError } = error;
  if (originalError instanceof AppError) return formatAppError(originalError as AppError);
  if (
    originalError === undefined ||
    originalError instanceof GraphQLError ||
    isMissingValue(originalError) ||
    describe?.(originalError) === 'message'
  ) {
    const { message, extensions = {}, ...where } = error.toJSON();
    const { locations } = where;
    return {
      message: shorten(message, MAX_CHARACTERS),
      ...where,
      ...(locations && { locations: locations.slice(0, MAX_LOCATIONS) }),
      extensions: { code: 'INTERNAL_SERVER_ERROR', ...extensions },
    };
  }
  const described = describe?.(originalError);
  if (typeof described === 'object') {
    const { code, ...shown } = described;
    return { message: shown.message, extensions: { error: shown, code } };
  }
  report(originalError);
  return formatAppError(new AppError('internal'));
}

/** The message of graphql-js for a missing value of a non-nullable field: it names nothing but the field. */
const isMissingValue = ({ message }: Error): boolean =>
  /^Cannot return null for non-nullable field \w+\.\w+\.$/.test(message);

function formatAppError({ code, name, message, details = {} }: AppError): GraphQLFormattedError {
  return { message, extensions: { error: { name, message, details }, code: answerOf(code).graphql } };
}
