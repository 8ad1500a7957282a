import type { OpenProject } from './open-project.js';
import type { Named } from './strapi.js';

/** The actions whose policies in routes of project code do not apply over GraphQL, as in Strapi v4. */
export const listRoutePolicies = ({ strapi }: Pick<OpenProject, 'strapi'>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(strapi.api).flatMap(([apiName, module]) =>
      Object.values((module.routes ?? {}) as Named)
        .flatMap((routes: Named | null) => (routes?.['routes'] ?? []) as readonly (Named | undefined)[])
        .flatMap((route) => {
          const { method, path, handler, config } = route ?? {};
          if (typeof handler !== 'string' || (config?.policies ?? []).length === 0) return [];
          const action = handler.startsWith('api::') ? handler : `api::${apiName}.${handler}`;
          return [[action, `policies of ${method} ${path}`] as const];
        }),
    ),
  );
