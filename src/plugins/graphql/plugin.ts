import type { RequestHandler } from 'express';
import type { PluginFactory } from '../plugin.js';
import { createExtension } from './extension/extension.js';
import { graphqlServices } from './extension/services.js';
import { openApi } from './open-api.js';
import { parseSettings } from './settings.js';

/** The GraphQL API of the content types, and what the other plugins add to it. It starts when they have. */
export const createGraphql: PluginFactory = (config) => {
  const settings = parseSettings(config);
  const extended = createExtension();
  let serve: RequestHandler = (_request, _response, next) => next();
  return {
    name: 'graphql',
    pages: [{ path: settings.endpoint, title: 'GraphQL', does: 'queries and mutations, to write and to try' }],
    mounts: [{ path: settings.endpoint, handler: (request, response, next) => serve(request, response, next) }],
    services: graphqlServices(extended.service),
    start: async (context) => {
      serve = await openApi(settings, context, extended);
    },
  };
};
