import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Logger } from '../../errors/logger.js';
import type { GraphqlForm } from '../../plugins/contract/graphql/form.js';
import type { GraphqlProject } from '../../plugins/contract/graphql/project.js';
import type { FormatError } from '../settings.js';
import { AppError } from '../../errors/app-error.js';
import { answerOf } from '../../errors/codes.js';
import { shorten } from '../../errors/shorten.js';

export type Format = (error: GraphQLError) => GraphQLFormattedError;

/** Formats the errors of one request; without its response those that need no id. */
export type FormatErrors = (response?: ServerResponse) => Format;

interface ErrorForms {
  /** Has the last word on every error. */
  readonly last?: FormatError | undefined;
  /** Errors of project code. */
  readonly describe?: GraphqlProject['describeError'] | undefined;
  /** Those of the service in the form of another API, which has paths beside them. */
  readonly ofForm?: GraphqlForm['describeError'] | undefined;
}

/** Unexpected errors are logged in full; the client only gets the id in `X-Request-Id`. */
export function createFormatErrors(
  log: Pick<Logger, 'error'>,
  { last = (formatted) => formatted, describe, ofForm }: ErrorForms = {},
): FormatErrors {
  return (response) => {
    const report = (error: unknown): void => {
      const id = String(response?.getHeader('X-Request-Id') ?? randomUUID());
      response?.setHeader('X-Request-Id', id);
      log.error({ err: error, id }, 'A GraphQL request failed');
    };
    return (error) => {
      const formatted = formatError(error, report, { describe, ofForm });
      try {
        return printable(last(formatted, error));
      } catch (mistake) {
        report(mistake);
        return formatted;
      }
    };
  };
}

/**
 * As in Strapi v4, `formatError` can return any error, of which JSON would have nothing; those of GraphQL know their
 * form.
 */
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
 * An error in Strapi v4's format. Errors of the service are complete and, as recorded, without path and locations;
 * GraphQL errors are unchanged, and so are errors of project code that are meant for the client. Any other error is
 * passed to `report`, and the client gets no details.
 */
function formatError(
  error: GraphQLError,
  report: (error: unknown) => void,
  { describe, ofForm }: ErrorForms,
): GraphQLFormattedError {
  const { originalError } = error;
  if (originalError instanceof AppError) return formatAppError(originalError as AppError, error, ofForm);
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
  return formatAppError(new AppError('internal'), error, ofForm);
}

/** The message of graphql-js for a missing value of a non-nullable field: it names nothing but the field. */
const isMissingValue = ({ message }: Error): boolean =>
  /^Cannot return null for non-nullable field \w+\.\w+\.$/.test(message);

function formatAppError(
  error: AppError,
  { path }: GraphQLError,
  describe?: GraphqlForm['describeError'],
): GraphQLFormattedError {
  const { name, message, details = {} } = describe?.(error) ?? error;
  const extensions = { error: { name, message, details }, code: answerOf(error.code).graphql };
  return { message, ...(describe && path && { path }), extensions };
}
