import type { Extension } from '../plugins/contract/extension.js';
import type { OpenProject, ProjectParts } from '../strapi/open-project.js';
import { hasCode } from '../strapi/project/has-code.js';

/**
 * The code of the Strapi v4 project that the content types come from, with what the service uses of it; undefined if there
 * is none. Its modules are loaded on demand: the packages that they import take a tenth of a second.
 * @throws StartError with a line for each file that cannot be loaded
 */
export async function openCode(parts: ProjectParts) {
  if (!hasCode(parts.config.folders.contentTypes)) return undefined;
  const strapi = await import('../strapi/index.js');
  const project: OpenProject = await strapi.openProject(parts);
  strapi.logReport(strapi.describeProject(project, project.config), project.created.context.log);
  return {
    project,
    actions: () => strapi.listCodeActions(project),
    graphql: () => strapi.openGraphql(project),
    namedPolicies: (extension: Extension) => strapi.namedPolicies(extension, project),
    routePolicies: () => strapi.listRoutePolicies(project),
    serve: (...rest: Rest<Parameters<typeof strapi.serveProject>>) => strapi.serveProject(project, ...rest),
  };
}

type Rest<T extends readonly unknown[]> = T extends readonly [unknown, ...infer R] ? R : never;

/** The code of a project, as the service uses it. */
export type ProjectCode = NonNullable<Awaited<ReturnType<typeof openCode>>>;
