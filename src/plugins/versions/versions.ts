import type { ContentType } from '../../content-types/model/types.js';
import { groupBy } from '../../config/group-by.js';
import { requireId } from '../../query/parse/input.js';
import { inData } from '../contract/content-type-routes.js';
import { versionsPath } from '../contract/describe-content.js';
import type { EntryChange, PluginContext, PluginFactory, Route, RouteRequest } from '../contract/plugin.js';
import { refuseAll } from '../contract/write-terms.js';
import { createStarted } from '../contract/started.js';
import { version } from './definition.js';
import { keepFormer, keepVersion } from './keep-version.js';
import { listVersions, readVersion } from './list-versions.js';
import { restoreVersion } from './restore-version.js';
import { checkTypes, hasVersions, parseSettings } from './settings.js';

/** Keeps what entries and their working copies were after each write, for those who may change them. */
export const createVersions: PluginFactory = (config) => {
  const settings = parseSettings(config);
  const context = createStarted<PluginContext>('versions');
  /** The entry may have been written again, or removed: what it is now decides. */
  const keep = async ([first]: readonly EntryChange[]): Promise<void> => {
    const type = context.get().registry.contentTypes.get(first?.type ?? '');
    if (type === undefined || first?.id === undefined || !hasVersions(settings, type)) return;
    await keepVersion(context.get(), settings, type, first.id, first.isCopy === true ? 'copy' : 'entry');
  };
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
          await keepFormer(context.get(), settings, type, id);
        return data;
      },
    },
    onChanges: async (changes) => {
      const written = groupBy(changes, ({ type, id, isCopy }) => `${type} ${id} ${isCopy}`);
      await Promise.all([...written.values()].map(keep));
    },
    routes: ({ contentTypes }) =>
      [...contentTypes.values()]
        .filter((type) => hasVersions(settings, type))
        .flatMap((type) => routesOf(context.get, type)),
  };
};

function routesOf(context: () => PluginContext, type: ContentType): readonly Route[] {
  const path = versionsPath(type);
  const common = {
    action: `${type.uid}.update`,
    shortcut: { type, shortcutOf: ['findOne', 'update'], allowedWithGuards: false },
    caching: 'never',
  } as const;
  const idOf = ({ params }: Pick<RouteRequest, 'params'>): number => requireId(params['id'] ?? '');
  const integerOf = (name: string) =>
    ({ name, in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }) as const;
  const tag = type.displayName;
  return [
    {
      ...common,
      method: 'GET',
      path,
      handle: async (request) => ({ body: { data: await listVersions(context(), type, idOf(request), request) } }),
      description: {
        summary: 'Read what the entry was after former writes, newest first',
        tag,
        query: ['pagination[page]', 'pagination[pageSize]'],
        pathParameters: [integerOf('id')],
        response: inData({ type: 'array', items: { type: 'object' } }),
        errors: [400, 404],
      },
    },
    {
      ...common,
      method: 'GET',
      path: `${path}/:version`,
      handle: async (request) => ({ body: { data: await readVersion(context(), type, idOf(request), request) } }),
      description: {
        summary: 'Read one version of the entry, and what differs from it in another',
        tag,
        query: ['to'],
        pathParameters: [integerOf('id'), integerOf('version')],
        response: inData({ type: 'object' }),
        errors: [400, 404],
      },
    },
    {
      ...common,
      method: 'POST',
      path: `${path}/:version/restore`,
      refuses: refuseAll('a version is only restored'),
      handle: async (request) => ({ body: { data: await restoreVersion(context(), type, idOf(request), request) } }),
      description: {
        summary: 'Write attributes of the entry as a version has them',
        tag,
        body: inData({
          type: 'object',
          required: ['newest'],
          properties: {
            newest: { type: 'integer', minimum: 1 },
            attributes: { type: 'array', items: { type: 'string' } },
            withoutMissing: { type: 'boolean' },
          },
        }),
        pathParameters: [integerOf('id'), integerOf('version')],
        response: inData({ type: 'object' }),
        errors: [400, 404, 409],
      },
    },
  ];
}
