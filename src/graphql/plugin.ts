import type { PluginContext, PluginFactory } from '../plugins/contract/plugin.js';
import { createExtension } from './extension/extension.js';
import { graphqlServices } from './extension/services.js';
import type { OpenApi } from './open-api.js';
import { namesEnum } from './schema/enums.js';
import { readRecord, removeRecord, writeRecord } from './schema-record.js';
import { parseSettings } from './settings.js';

/** The GraphQL API of the content types, with the additions of other plugins and the project. */
export const createGraphql: PluginFactory = (config, _findProvider, tolerate) => {
  const settings = parseSettings(config, tolerate);
  const { schema, typegen } = settings.artifacts;
  const extended = createExtension();
  let api: Promise<OpenApi> | undefined;
  let started: PluginContext | undefined;
  const open = (context: PluginContext): Promise<OpenApi> => {
    api ??= import('./open-api.js').then(({ openApi }) => openApi(settings, context, extended));
    return api;
  };
  const openLater = async (context: PluginContext): Promise<OpenApi> => {
    try {
      return await open(context);
    } catch (error) {
      // A start that relied on the record could not have succeeded.
      await removeRecord(context.settings.folders.data);
      throw error;
    }
  };
  return {
    name: 'graphql',
    pages: [{ path: settings.endpoint, title: 'GraphQL', description: 'write and try queries and mutations' }],
    services: graphqlServices(
      extended.service,
      settings.entries,
      () => started && { registry: started.registry, entityService: started.project.application.entityService },
    ),
    mounts: () => [
      {
        path: settings.endpoint,
        handler: async (request, response, next) => {
          if (started === undefined) next();
          else await (await openLater(started)).handler(request, response, next);
        },
      },
    ],
    start: async (context) => {
      started = context;
    },
    ready: async (context) => {
      // Otherwise the schema is built on the first request: that takes as long as half of a start, and 40 MB. So it is if it could be
      // built of the same before.
      const { contentTypes, components } = context.registry;
      const isArtifact = schema !== undefined || typegen !== undefined;
      const mayFail =
        extended.isUsed() ||
        isArtifact ||
        // The schema determines which of their actions lack a guard over GraphQL.
        context.auth.restGuards().length > 0 ||
        [...contentTypes.values(), ...components.values()].some(namesEnum);
      if (!mayFail) return;
      const fingerprint = isArtifact ? undefined : context.graphql.project?.fingerprint();
      const { data } = context.settings.folders;
      const record = fingerprint === undefined ? undefined : await readRecord(data);
      const built = record !== undefined && record.fingerprint === fingerprint ? record : await open(context);
      for (const line of built.warnings) context.log.warn({}, line);
      if (fingerprint !== undefined && built !== record)
        await writeRecord(data, { fingerprint, warnings: built.warnings });
    },
  };
};
