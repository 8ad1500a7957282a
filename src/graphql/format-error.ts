import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { AppError } from '../errors/app-error.js';
import { codes } from '../errors/codes.js';

/** Characters of a message: some of graphql's quote what the client sent. */
const MOST_CHARACTERS = 500;

/**
 * An error as Strapi v4's clients know it. Those of our own are told in full and, as recorded, without path and locations;
 * those of GraphQL as they are. Of anything else the client learns nothing: `report` gets it.
 */
export function formatError(error: GraphQLError, report: (error: unknown) => void): GraphQLFormattedError {
  const { originalError } = error;
  if (originalError instanceof AppError) return formatKnown(originalError as AppError);
  if (originalError === undefined || originalError instanceof GraphQLError || isMissingValue(originalError)) {
    const { message, extensions = {}, ...where } = error.toJSON();
    const short = message.length > MOST_CHARACTERS ? `${message.slice(0, MOST_CHARACTERS)}…` : message;
    return { message: short, ...where, extensions: { code: 'INTERNAL_SERVER_ERROR', ...extensions } };
  }
  report(originalError);
  return formatKnown(new AppError('internal'));
}

/** What graphql-js says of a field that has no value though it must have one: it names nothing but the field. */
const isMissingValue = ({ message }: Error): boolean =>
  /^Cannot return null for non-nullable field \w+\.\w+\.$/.test(message);

function formatKnown({ code, name, message, details = {} }: AppError): GraphQLFormattedError {
  return { message, extensions: { error: { name, message, details }, code: codes[code].graphql } };
}
