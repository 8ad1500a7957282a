import { dirname, sep } from 'node:path';
import type { OpenProject } from './open-project.js';
import { nameOfFolder, nameOfPart } from './project/find-files.js';
import type { Named } from './strapi.js';

type Code = Pick<OpenProject['code'], 'files'>;

/** The actions whose policies in routes of project code do not apply over GraphQL, as in Strapi v4, with the routes and their files. */
export const listRoutePolicies = ({
  strapi,
  code,
}: Pick<OpenProject, 'strapi'> & { readonly code: Code }): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(strapi.api).flatMap(([apiName, module]) =>
      Object.entries((module.routes ?? {}) as Named)
        .flatMap(([name, routes]: [string, Named | null]) =>
          ((routes?.['routes'] ?? []) as readonly (Named | undefined)[]).map((route): Named => ({ ...route, name })),
        )
        .flatMap(({ name, method, path, handler, config }) => {
          if (typeof handler !== 'string' || (config?.policies ?? []).length === 0) return [];
          const action = handler.startsWith('api::') ? handler : `api::${apiName}.${handler}`;
          const file = findFile(code, apiName, String(name));
          return [[action, `policies of ${method} ${path}${file === undefined ? '' : ` in ${file}`}`] as const];
        }),
    ),
  );

/** The file of an API whose routes have this name; undefined if code added them. */
const findFile = ({ files }: Code, apiName: string, name: string): string | undefined =>
  files.find((file) => {
    const [source, kind, folder = '', part] = dirname(file).split(sep);
    const isRoutes = source === 'src' && kind === 'api' && part === 'routes';
    return isRoutes && nameOfFolder(folder) === apiName && nameOfPart(file) === name;
  });
