import lodash from 'lodash';
import type { DescribedError } from '../../plugins/contract/graphql/project.js';
import { errors } from '../utilities/errors.js';

/** The codes of Strapi v4's error classes in GraphQL; the others are named by their class. */
const codes = [
  [errors.ForbiddenError, 'FORBIDDEN'],
  [errors.UnauthorizedError, 'FORBIDDEN'],
  [errors.ValidationError, 'BAD_USER_INPUT'],
] as const;

/** An error that project code throws for the client; undefined for other errors. */
export function describeError(error: unknown): DescribedError | undefined {
  if (!(error instanceof errors.ApplicationError) && !(error instanceof errors.HttpError)) return undefined;
  const { name, message, details } = error as Error & { readonly details?: unknown };
  const named = `STRAPI_${lodash.snakeCase(name).toUpperCase()}`;
  const code = codes.find(([kind]) => error instanceof kind)?.[1] ?? named;
  return { name, message, ...(details !== undefined && { details }), code };
}
