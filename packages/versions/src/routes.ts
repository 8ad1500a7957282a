import {
  pathNameOf,
  refuseAll,
  requireId,
  type ContentType,
  type PluginContext,
  type Route,
  type RouteRequest,
} from 'content-service/plugin';
import { listVersions, readVersion } from './list-versions.js';
import { restoreVersion } from './restore-version.js';

const inData = (schema: object): Readonly<Record<string, unknown>> => ({
  type: 'object',
  required: ['data'],
  properties: { data: schema },
});

/** The routes below an entry of a content type, for those who may change it. */
export function routesOf(context: () => PluginContext, type: ContentType): readonly Route[] {
  const path = `/${pathNameOf(type)}/:id/versions`;
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
