import type { Context } from 'koa';
import type { GraphqlProject } from '../../plugins/contract/graphql/project.js';
import type { OpenProject } from '../open-project.js';
import { describeError } from './describe-error.js';
import { usersMutations } from './users-mutations.js';

/** What the GraphQL API needs of a project's code. */
export const openGraphql = (project: OpenProject): GraphqlProject => {
  const { strapi, server } = project;
  return {
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
