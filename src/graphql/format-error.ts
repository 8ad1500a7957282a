import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { AppError } from '../errors/app-error.js';
import { codes } from '../errors/codes.js';
import type { DescribedError, GraphqlProject } from '../plugins/contract/graphql/project.js';

/** Maximum length of a message: some messages of graphql-js quote the request. */
const MAX_CHARACTERS = 500;

/**
 * An error in Strapi v4's format. Errors of the service are complete and, as recorded, without path and locations; GraphQL
 * errors are unchanged. Any other error is passed to `report`, and the client gets no details.
 */
export function formatError(
  error: GraphQLError,
  report: (error: unknown) => void,
  describe: GraphqlProject['describeError'] = () => undefined,
): GraphQLFormattedError {
  const { originalError } = error;
  if (originalError instanceof AppError) return formatAppError(originalError as AppError);
  if (originalError === undefined || originalError instanceof GraphQLError || isMissingValue(originalError)) {
    const { message, extensions = {}, ...where } = error.toJSON();
    const short = message.length > MAX_CHARACTERS ? `${message.slice(0, MAX_CHARACTERS)}…` : message;
    return { message: short, ...where, extensions: { code: 'INTERNAL_SERVER_ERROR', ...extensions } };
  }
  const described = describe(originalError);
  if (described !== undefined) return formatDescribed(described);
  report(originalError);
  return formatAppError(new AppError('internal'));
}

/** The message of graphql-js for a missing value of a non-nullable field: it names nothing but the field. */
const isMissingValue = ({ message }: Error): boolean =>
  /^Cannot return null for non-nullable field \w+\.\w+\.$/.test(message);

function formatDescribed({ code, ...error }: DescribedError): GraphQLFormattedError {
  return { message: error.message, extensions: { error, code } };
}

function formatAppError({ code, name, message, details = {} }: AppError): GraphQLFormattedError {
  return { message, extensions: { error: { name, message, details }, code: codes[code].graphql } };
}
