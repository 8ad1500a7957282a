import express, { type RequestHandler } from 'express';
import type { Registry } from '../../content-types/types.js';
import type { GraphqlParts, ShadowRule } from '../graphql-parts.js';
import type { PluginContext } from '../plugin.js';
import { createAsked } from './execution/answers.js';
import { createResolvers } from './execution/create-resolvers.js';
import { guardParts } from './guard-parts.js';
import { createExecute } from './http/execute.js';
import { createFormatErrors } from './http/format-errors.js';
import { createLookAt } from './http/look-at.js';
import { rememberQueries } from './http/persisted-queries.js';
import { createPrepare } from './http/prepare.js';
import { serveGraphql } from './http/serve.js';
import { samplesOf } from './playground/samples.js';
import { servePlayground } from './playground/serve-playground.js';
import { generateSchema } from './schema/generate.js';
import { makeSchema } from './schema/make-schema.js';
import type { Settings } from './settings.js';
import { writeArtifacts } from './write-artifacts.js';

/** Makes the schema, and what serves it. @throws StartError when the schema cannot be made */
export async function openApi(settings: Settings, context: PluginContext): Promise<RequestHandler> {
  const { registry, documents, environment, folders, authenticate, readForm, bodyLimit, log } = context;
  const { limits, server } = settings;
  const parts = context.graphqlParts();
  const rules = parts.flatMap((part) => part.rules ?? []);
  const generated = generateSchema(registry, settings.shadowCRUD ? rules : [...rules, ...withoutShadow(registry)]);
  const reads = { ...settings.entries, populateLimit: context.limits.populateLimit };
  const actions = Object.assign({}, ...parts.map((part) => part.actions)) as GraphqlParts['actions'];
  const schema = makeSchema(
    [generated.typeDefs, ...parts.map(({ typeDefs }) => typeDefs)],
    [generated.resolvers, createResolvers(generated, { documents, limits: reads, actions }), ...parts.map(guardParts)],
  );
  await writeArtifacts(schema, settings.artifacts, folders.project);
  const askedBy = createAsked(reads);
  const introspection = server.introspection ?? environment !== 'production';
  const prepare = createPrepare({ schema, limits, introspection, validationRules: server.validationRules });
  const lookAt = createLookAt({ schema, prepare, queryOf: rememberQueries(server.persistedQueries), introspection });
  const execute = createExecute({ lookAt, limits, tracing: server.tracing });
  const api = serveGraphql({
    execute,
    formatErrors: createFormatErrors(log, server.formatError),
    admit: context.admit,
    authenticate,
    contextOf: (caller, address) => ({ caller, address, asked: askedBy(caller) }),
    readForm,
    bodyLimit,
    csrfPrevention: server.csrfPrevention,
  });
  if (environment === 'production' && !settings.playgroundAlways) return api;
  return express.Router().use(servePlayground(settings.endpoint, samplesOf(schema, generated)), api);
}

/** The owner's content types get no queries and mutations; their types stay where others refer to them. */
const withoutShadow = ({ contentTypes }: Registry): readonly ShadowRule[] =>
  [...contentTypes.keys()].flatMap((uid): readonly ShadowRule[] =>
    uid.startsWith('api::')
      ? [
          { uid, without: 'queries' },
          { uid, without: 'mutations' },
        ]
      : [],
  );
