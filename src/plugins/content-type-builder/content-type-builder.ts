import type { Registry } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { BuiltInContext, BuiltInFactory } from '../contract/built-in.js';
import { viewOfRole } from '../contract/access/role-view.js';
import { isLocalDevelopment, schemaActions } from '../contract/developer.js';
import { createStarted } from '../contract/started.js';
import type { Route } from '../contract/plugin.js';
import { describeComponent, describeContentType } from './describe-schema.js';
import { definitionRoutes } from './definition-routes.js';
import { describeTypes } from '../contract/describe-types.js';

const action = (name: string): string => `plugin::content-type-builder.${name}`;

/**
 * The schemas, for programs that discover them, such as Gatsby's source plugin: Strapi v4's routes, read-only; in
 * development also the definition files.
 */
export const createContentTypeBuilder: BuiltInFactory = () => {
  const context = createStarted<BuiltInContext>('content-type-builder');
  return {
    name: 'content-type-builder',
    routes: (_registry, environment) => [
      ...schemaRoutes(context.get),
      typesRoute(context.get),
      // Elsewhere nobody changes files of the project: there are no such routes.
      ...(environment === 'development' ? definitionRoutes(context.get) : []),
    ],
    start: async (started) => context.set(started),
  };
};

/** A package, with a path in it. */
const packagePattern = /^(?:@[\w.-]+\/)?[\w.-]+(?:\/[\w.-]+)*$/;

/**
 * The content types as TypeScript, for callers with permission to read all schemas, and in development for all local
 * clients, which find the same in Swagger UI. With `role` they are as a role of `access.json` sees them.
 */
const typesRoute = (context: () => BuiltInContext): Route => ({
  method: 'GET',
  path: '/content-type-builder/types',
  action: undefined,
  caching: 'never',
  handle: async ({ query, caller, message, entryForm }) => {
    const { registry, settings, auth } = context();
    if (!schemaActions.every(caller.may) && !isLocalDevelopment(settings.environment, message))
      throw new AppError('forbidden');
    const client = query['client'] ?? 'content-service/client';
    if (typeof client !== 'string' || !packagePattern.test(client)) throw new AppError('invalidParameter', 'client');
    const { role } = query;
    const shown = typeof role === 'string' ? viewOfRole(registry, auth.declared, role).registry : registry;
    return { body: undefined, text: describeTypes(shown, client, entryForm.audience) };
  },
});

function schemaRoutes(context: () => BuiltInContext): readonly Route[] {
  const schemas = (): Registry => context().registry;
  return [
    {
      method: 'GET',
      path: '/content-type-builder/content-types',
      action: action('content-types.getContentTypes'),
      handle: async ({ query }) => {
        const kind = query['kind'];
        const selectedTypes = [...schemas().contentTypes.values()].filter(
          (type) => kind === undefined || type.kind === kind,
        );
        return { body: { data: selectedTypes.map(describeContentType) } };
      },
    },
    {
      method: 'GET',
      path: '/content-type-builder/content-types/:uid',
      action: action('content-types.getContentType'),
      handle: async ({ params }) => describeOne(schemas().contentTypes, params['uid'], describeContentType),
    },
    {
      method: 'GET',
      path: '/content-type-builder/components',
      action: action('components.getComponents'),
      handle: async () => ({ body: { data: [...schemas().components.values()].map(describeComponent) } }),
    },
    {
      method: 'GET',
      path: '/content-type-builder/components/:uid',
      action: action('components.getComponent'),
      handle: async ({ params }) => describeOne(schemas().components, params['uid'], describeComponent),
    },
  ];
}

/** @throws AppError notFound */
function describeOne<T>(all: ReadonlyMap<string, T>, uid = '', describe: (schema: T) => unknown) {
  const model = all.get(uid);
  if (model === undefined) throw new AppError('notFound');
  return { body: { data: describe(model) } };
}
