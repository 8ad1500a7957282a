import type { Request, Response } from 'express';
import lodash from 'lodash';
import type { BuiltInContext, BuiltInFactory } from '../plugins/contract/built-in.js';
import type { GraphqlForm } from '../plugins/contract/graphql/form.js';
import type { Mount } from '../plugins/contract/plugin.js';
import { StartError } from '../errors/start-error.js';
import { createExtension } from './extension/extension.js';
import { graphqlServices } from './extension/services.js';
import { namesEnum } from './schema/enums.js';
import { parseSettings } from './settings.js';

/** The GraphQL API of the content types, with the additions of other plugins and the project. */
export const createGraphql: BuiltInFactory = (config, _findProvider, tolerate) => {
  const settings = parseSettings(config, tolerate);
  const { schema, typegen } = settings.artifacts;
  const extended = createExtension();
  let started: BuiltInContext | undefined;
  const open = lodash.once(async (context: BuiltInContext) => {
    const { createServer } = await import('./create-server.js');
    return createServer(settings, context, extended);
  });
  const openForm = lodash.memoize(async (form: GraphqlForm, context: BuiltInContext) => {
    const { createFormServer } = await import('./create-server.js');
    return createFormServer(settings, context, extended, form);
  });
  const mount = (path: string, opened: (context: BuiltInContext) => ReturnType<typeof open>): Mount => ({
    path,
    handler: async (request: Request, response: Response, next) => {
      if (started === undefined) next();
      else await (await opened(started)).handler(request, response, next);
    },
  });
  /** They have nothing but what is generated from the content types. */
  const formsOf = lodash.memoize(({ graphql }: BuiltInContext): readonly GraphqlForm[] =>
    settings.shadowCRUD ? graphql.forms() : [],
  );
  return {
    name: 'graphql',
    pages: [{ path: settings.endpoint, title: 'GraphQL', description: 'write and try queries and mutations' }],
    services: graphqlServices(extended.service, settings.entries, () => started?.registry),
    mounts: (context) => {
      const forms = formsOf(context);
      if (forms.some((form) => form.path === settings.endpoint))
        throw new StartError(
          `Two GraphQL schemas would be at ${settings.endpoint}: set config.endpoint of the plugin graphql to another path`,
        );
      return [
        mount(settings.endpoint, open),
        ...forms.map((form) => mount(form.path, (running) => openForm(form, running))),
      ];
    },
    start: async (context) => {
      started = context;
    },
    ready: async (context) => {
      // Otherwise the schema is built on the first request: that takes as long as half of a start, and 40 MB.
      const { contentTypes, components } = context.registry;
      const mayFail =
        extended.isUsed() ||
        schema !== undefined ||
        typegen !== undefined ||
        // The schema determines which of their actions lack a guard over GraphQL.
        context.auth.restGuards().length > 0 ||
        [...contentTypes.values(), ...components.values()].some(namesEnum);
      if (!mayFail) return;
      const servers = [open(context), ...formsOf(context).map((form) => openForm(form, context))];
      for (const { warnings } of await Promise.all(servers)) for (const line of warnings) context.log.warn({}, line);
    },
  };
};
