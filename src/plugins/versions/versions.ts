import type { ContentType } from '../../content-types/model/types.js';
import { requireId } from '../../query/parse/input.js';
import { inData } from '../contract/content-type-routes.js';
import { versionsPath } from '../contract/describe-content.js';
import type { PluginContext, PluginFactory, Route } from '../contract/plugin.js';
import { createStarted } from '../contract/started.js';
import { version } from './definition.js';
import { keepFirst, keepVersion } from './keep-version.js';
import { listVersions } from './list-versions.js';
import { checkTypes, hasVersions, parseSettings } from './settings.js';

/** Keeps what entries were after each write, for those who may change them. */
export const createVersions: PluginFactory = (config) => {
  const settings = parseSettings(config);
  const { keep } = settings;
  const context = createStarted<PluginContext>('versions');
  return {
    name: 'versions',
    contentTypes: [version],
    start: async (started) => {
      checkTypes(settings, started.registry);
      context.set(started);
    },
    hooks: {
      prepare: async (data, { type, id, isDryRun }) => {
        if (id !== undefined && !isDryRun && hasVersions(settings, type))
          await keepFirst(context.get(), keep, type, id);
        return data;
      },
      // The write may have been undone since: what the entry is now decides.
      afterWrite: async ({ type, id }) => {
        if (hasVersions(settings, type)) await keepVersion(context.get(), keep, type, id);
      },
    },
    routes: ({ contentTypes }) =>
      [...contentTypes.values()]
        .filter((type) => hasVersions(settings, type))
        .map((type) => createRoute(context.get, type)),
  };
};

/** A version is restored by a write of its data, which needs no route of its own. */
const createRoute = (context: () => PluginContext, type: ContentType): Route => ({
  method: 'GET',
  path: versionsPath(type),
  action: `${type.uid}.update`,
  shortcut: { type, shortcutOf: ['findOne', 'update'], allowedWithGuards: false },
  caching: 'never',
  handle: async ({ params, ...request }) => ({
    body: { data: await listVersions(context(), type, requireId(params['id'] ?? ''), request) },
  }),
  description: {
    summary: 'Read what the entry was after former writes, newest first',
    tag: type.displayName,
    query: ['pagination[page]', 'pagination[pageSize]'],
    pathParameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }],
    response: inData({ type: 'array', items: { type: 'object' } }),
    errors: [400, 404],
  },
});
