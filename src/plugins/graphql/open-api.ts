import express, { type RequestHandler } from 'express';
import type { PluginContext } from '../plugin.js';
import { buildSchema } from './build-schema.js';
import { createExecution } from './execution/execute-plainly.js';
import { createAsked, createSelected } from './execution/answers.js';
import type { Extended } from './extension/extension.js';
import { createExecute } from './http/execute.js';
import { createFormatErrors } from './http/format-errors.js';
import { createLookAt } from './http/look-at.js';
import { rememberQueries } from './http/persisted-queries.js';
import { createPrepare } from './http/prepare.js';
import { serveGraphql } from './http/serve.js';
import { samplesOf } from './playground/samples.js';
import { servePlayground } from './playground/serve-playground.js';
import type { Settings } from './settings.js';
import { stateOf } from './state-of.js';
import { writeArtifacts } from './write-artifacts.js';

/** Makes the schema, and what serves it. @throws StartError when the schema cannot be made */
export async function openApi(settings: Settings, context: PluginContext, extended: Extended): Promise<RequestHandler> {
  const { environment, folders, authenticate, readForm, bodyLimit, log } = context;
  const { limits, server } = settings;
  const reads = { ...settings.entries, populateLimit: context.limits.populateLimit };
  const { shadowCRUD } = settings;
  const { schema, generated, plain } = await buildSchema(context, { shadowCRUD, limits: reads, extended });
  await writeArtifacts(schema, settings.artifacts, folders.project);
  const [askedBy, selectedBy] = [createAsked(reads), createSelected(reads)];
  const introspection = server.introspection ?? environment !== 'production';
  const prepare = createPrepare({ schema, limits, introspection, validationRules: server.validationRules });
  const lookAt = createLookAt({ schema, prepare, queryOf: rememberQueries(server.persistedQueries), introspection });
  const execute = createExecute({ lookAt, limits, tracing: server.tracing, execute: createExecution(plain) });
  const api = serveGraphql({
    execute,
    formatErrors: createFormatErrors(log, server.formatError),
    admit: context.admit,
    authenticate,
    contextOf: (caller, address) => ({
      caller,
      address,
      state: stateOf(caller),
      asked: askedBy(caller),
      selected: selectedBy(caller),
    }),
    readForm,
    bodyLimit,
    csrfPrevention: server.csrfPrevention,
  });
  if (environment === 'production' && !settings.playgroundAlways) return api;
  return express.Router().use(servePlayground(settings.endpoint, samplesOf(schema, generated)), api);
}
