import type { Registry } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { PluginFactory, Route } from '../contract/plugin.js';
import { describeComponent, describeContentType } from './describe-schema.js';

const action = (name: string): string => `plugin::content-type-builder.${name}`;

/** What there is, for programs that discover it, such as Gatsby's source plugin: Strapi v4's routes, read-only. */
export const createContentTypeBuilder: PluginFactory = () => ({
  name: 'content-type-builder',
  routes,
});

function routes({ contentTypes, components }: Registry): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/content-type-builder/content-types',
      action: action('content-types.getContentTypes'),
      handle: async ({ query }) => {
        const kind = query['kind'];
        const selectedTypes = [...contentTypes.values()].filter((type) => kind === undefined || type.kind === kind);
        return { body: { data: selectedTypes.map(describeContentType) } };
      },
    },
    {
      method: 'GET',
      path: '/content-type-builder/content-types/:uid',
      action: action('content-types.getContentType'),
      handle: async ({ params }) => describeOne(contentTypes, params['uid'], describeContentType),
    },
    {
      method: 'GET',
      path: '/content-type-builder/components',
      action: action('components.getComponents'),
      handle: async () => ({ body: { data: [...components.values()].map(describeComponent) } }),
    },
    {
      method: 'GET',
      path: '/content-type-builder/components/:uid',
      action: action('components.getComponent'),
      handle: async ({ params }) => describeOne(components, params['uid'], describeComponent),
    },
  ];
}

/** @throws AppError notFound */
function describeOne<T>(all: ReadonlyMap<string, T>, uid = '', describe: (schema: T) => unknown) {
  const found = all.get(uid);
  if (found === undefined) throw new AppError('notFound');
  return { body: { data: describe(found) } };
}
