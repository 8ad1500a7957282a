import lodash from 'lodash';
import type { ContentType } from '../../content-types/model/types.js';
import type { EntityService } from '../../plugins/contract/application.js';
import { keepArrived } from '../../plugins/contract/arrived-body.js';
import type { GraphqlProject } from '../../plugins/contract/graphql/project.js';
import type { OpenProject } from '../open-project.js';
import { explainQuery } from '../entity-service/convert-params.js';
import type { Named, Anything } from '../strapi.js';
import { usersMutations } from './users-mutations.js';
import { errors } from '../utilities/errors.js';
import type { Extension } from '../../plugins/contract/extension.js';
import type { NamedPolicies, Policy } from '../../plugins/contract/policies.js';

/** The interface of the GraphQL API to a project's code. */
export const openGraphql = (project: OpenProject): GraphqlProject => {
  const { strapi, created, server } = project;
  const entityService: EntityService = strapi.entityService;
  const typeOf = (uid: string): ContentType | undefined =>
    created.context.runtime('the GraphQL API').registry.contentTypes.get(uid);
  return {
    isObserved: strapi.db.lifecycles.isObserved,
    entityService: {
      ...entityService,
      findMany: (uid, params = {}) => explainQuery(entityService.findMany(uid, params), params as Named, typeOf(uid)),
      count: (uid, params = {}) => explainQuery(entityService.count(uid, params), params as Named, typeOf(uid)),
    },
    documents: created.form.documentsOf?.(strapi),
    describeError,
    mutations: usersMutations(project),
    within: (request, response, work) => {
      const current = strapi.requestContext.get();
      const context = current ?? server.contextOf(request, response);
      const { body = {} } = request as { readonly body?: unknown };
      Object.assign(context.request, { body });
      // What resolvers put in its place is theirs.
      keepArrived(context.request, body);
      context.state['route'] ??= { info: { type: 'content-api' } };
      return current === undefined ? strapi.requestContext.run(context, () => work(context)) : work(context);
    },
  };
};

/** The codes of Strapi v4's error classes in GraphQL; the others are named by their class. */
const codes = [
  [errors.ForbiddenError, 'FORBIDDEN'],
  [errors.UnauthorizedError, 'FORBIDDEN'],
  [errors.ValidationError, 'BAD_USER_INPUT'],
] as const;

/**
 * Errors that code throws for the client: `new Error('…')` as it is, and those with a code for GraphQL. Errors of the
 * language, and errors with other properties, as those of the database, are not.
 */
const isForClient = (error: unknown): boolean =>
  error instanceof Error &&
  ((Object.getPrototypeOf(error) === Error.prototype && Object.keys(error).length === 0 && error.cause === undefined) ||
    typeof (error as { readonly extensions?: Named }).extensions?.['code'] === 'string');

/** The client's error for an error of project code; undefined for other errors. */
function describeError(error: unknown): ReturnType<GraphqlProject['describeError']> {
  if (isForClient(error)) return 'message';
  if (!(error instanceof errors.ApplicationError) && !(error instanceof errors.HttpError)) return undefined;
  const { name, message, details } = error as Error & { readonly details?: unknown };
  const named = `STRAPI_${lodash.snakeCase(name).toUpperCase()}`;
  const code = codes.find(([kind]) => error instanceof kind)?.[1] ?? named;
  return { name, message, ...(details !== undefined && { details }), code };
}

/** The policies and middlewares for `resolversConfig`: those of the extension, and of project code by their uids. */
export function namedPolicies({ policies = {}, middlewares = {} }: Extension, { strapi }: OpenProject): NamedPolicies {
  const handler = (policy: Anything): Policy => (typeof policy === 'function' ? policy : policy?.handler);
  const own = Object.entries(strapi.policies).map(([uid, policy]) => [bare(uid), handler(policy)] as const);
  const makers = Object.entries(strapi.middlewares).map(([uid, make]) => [bare(uid), makerOf(make)] as const);
  return {
    policies: { ...policies, ...Object.fromEntries(own) },
    middlewares: { ...middlewares, ...Object.fromEntries(makers) },
  };
}

/** `global::` can be omitted. */
const bare = (uid: string): string => uid.replace(/^global::/, '');

/** As in Strapi v4, a middleware named alone is used directly; one named with options is a factory. */
const makerOf =
  (middleware: Anything): NamedPolicies['middlewares'][string] =>
  (options, application) =>
    options === undefined ? middleware : middleware(options, application);
