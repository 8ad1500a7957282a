import type { Context } from 'koa';
import lodash from 'lodash';
import type { GraphqlProject, DescribedError } from '../../plugins/contract/graphql/project.js';
import type { OpenProject } from '../open-project.js';
import { fingerprintOf } from '../project/fingerprint.js';
import { usersMutations } from './users-mutations.js';
import { errors } from '../utilities/errors.js';

/** The interface of the GraphQL API to a project's code. */
export const openGraphql = (project: OpenProject): GraphqlProject => {
  const { strapi, server, code, config } = project;
  return {
    fingerprint: () => fingerprintOf(code.folder, config),
    isObserved: strapi.db.lifecycles.isObserved,
    describeError,
    mutations: usersMutations(project),
    within: (request, response, work) => {
      const current = strapi.requestContext.get();
      if (current !== undefined) return work(current);
      const context = server.app.createContext(request, response) as unknown as Context;
      return strapi.requestContext.run(context, () => work(context));
    },
  };
};

/** The codes of Strapi v4's error classes in GraphQL; the others are named by their class. */
const codes = [
  [errors.ForbiddenError, 'FORBIDDEN'],
  [errors.UnauthorizedError, 'FORBIDDEN'],
  [errors.ValidationError, 'BAD_USER_INPUT'],
] as const;

/** The client's error for an error of project code; undefined for other errors. */
function describeError(error: unknown): DescribedError | undefined {
  if (!(error instanceof errors.ApplicationError) && !(error instanceof errors.HttpError)) return undefined;
  const { name, message, details } = error as Error & { readonly details?: unknown };
  const named = `STRAPI_${lodash.snakeCase(name).toUpperCase()}`;
  const code = codes.find(([kind]) => error instanceof kind)?.[1] ?? named;
  return { name, message, ...(details !== undefined && { details }), code };
}
