import express, { type RequestHandler } from 'express';
import { createResponseBudget } from '../documents/response/response-body.js';
import { buildForm } from './build-form.js';
import { buildSchema, type BuiltSchema } from './build-schema.js';
import { createExecute } from './execute/execute.js';
import type { ReadLimits } from './execute/listing.js';
import { createIsCacheable } from './execute/is-cacheable.js';
import { createSelections } from './execute/selection-for-resolver.js';
import type { Extended } from './extension/extension.js';
import { createRefuseVariables } from './http/count-variables.js';
import { createFormatErrors } from './http/format-errors.js';
import { createQueryDocuments, MAX_ERRORS } from './http/query-documents.js';
import { createRespond } from './http/respond.js';
import { serveGraphql, type ServeOptions } from './http/serve.js';
import { shapeOf, v4Shape, type SchemaShape } from './schema/shape.js';
import { samplesOf } from './playground/samples.js';
import { servePlayground } from './playground/serve-playground.js';
import type { Settings } from './settings.js';
import { createOpenSubscription } from './subscription/stream.js';
import { writeArtifacts } from './write-artifacts.js';
import type { Caller } from '../documents/caller.js';
import type { Component, ContentType } from '../content-types/model/types.js';
import type { BuiltInContext } from '../plugins/contract/built-in.js';
import type { GraphqlForm } from '../plugins/contract/graphql/form.js';
import { componentNames, namesOf } from '../plugins/contract/graphql/names.js';
import type { GeneratedSchema } from './schema/generate.js';
import { authOf, callerIn } from '../plugins/contract/code-state.js';
import type { GraphqlState } from '../plugins/contract/graphql/parts.js';

/** The server of a schema, and lines for the log: what in the schema needs attention. */
interface GraphqlServer {
  readonly handler: RequestHandler;
  readonly warnings: readonly string[];
}

/** Creates the schema of Strapi v4 and its server. @throws StartError if the schema cannot be built */
export async function createServer(
  settings: Settings,
  context: BuiltInContext,
  extended: Extended,
): Promise<GraphqlServer> {
  const limits = readLimitsOf(settings, context);
  const built = await buildSchema(context, { ...settings, limits, extended });
  await writeArtifacts(built.schema, settings.artifacts, context.settings.folders.project);
  if (context.documents.respondTogether !== undefined) noteUncached(built.owned, context.log);
  return serveSchema(settings, context, { ...built, limits, path: settings.endpoint, shape: v4Shape });
}

/**
 * Creates a schema in another form and its server, which has the same settings.
 * @throws StartError if the schema cannot be built
 */
export async function createFormServer(
  settings: Settings,
  context: BuiltInContext,
  extended: Extended,
  form: GraphqlForm,
): Promise<GraphqlServer> {
  const limits = readLimitsOf(settings, context);
  const shape = shapeOf(form.reads, form.schema);
  const built = await buildForm(context, { form, shape, limits, extended, additions: settings.additions });
  return serveSchema(settings, context, { ...built, limits, path: form.path, shape, form });
}

interface ServedSchema extends BuiltSchema {
  readonly limits: ReadLimits;
  readonly path: string;
  readonly shape: SchemaShape;
  /** Undefined: that of Strapi v4. */
  readonly form?: GraphqlForm;
}

const readLimitsOf = (settings: Settings, { limits }: BuiltInContext): ReadLimits => ({
  ...settings.entries,
  populateLimit: limits.populateLimit,
  openComponentRelations: settings.openComponentRelations,
});

function serveSchema(
  settings: Settings,
  context: BuiltInContext,
  { schema, generated, cacheable, warnings, limits: reads, path, shape, form }: ServedSchema,
): GraphqlServer {
  const { environment } = context.settings;
  const { project } = context.graphql;
  const { limits, server } = settings;
  const introspection = server.introspection ?? environment !== 'production';
  const formatErrors = createFormatErrors(context.log, {
    last: server.formatError,
    describe: project?.describeError,
    ofForm: form?.describeError,
  });
  const { respondTogether } = context.documents;
  const execute = createExecute(schema, { maxErrors: MAX_ERRORS, hideSuggestions: !introspection });
  const documents = createQueryDocuments({ schema, limits, introspection, server });
  const { openCount } = context.documents;
  const refuseVariables = createRefuseVariables({
    schema,
    written: writtenTypes(generated),
    openCount,
    limit: limits.variables,
  });
  const respond = createRespond({
    schema,
    documents,
    limits,
    refuseVariables,
    limit: context.http.responses.limit,
    server,
    execute,
    cache: respondTogether && {
      path,
      respond: respondTogether,
      read: context.documents.read,
      isCacheable: createIsCacheable(schema, cacheable),
    },
  });
  const api = serveGraphql({
    http: context.http,
    auth: context.auth,
    project,
    respond,
    openSubscription: schema.getSubscriptionType()
      ? createOpenSubscription({ schema, documents, execute, refuseVariables })
      : undefined,
    formatErrors,
    contextOf: createContextOf(context, reads, shape, form),
    csrfPrevention: server.csrfPrevention || form !== undefined,
  });
  if (!(settings.playground ?? environment !== 'production')) return { handler: api, warnings };
  const playground = servePlayground(path, samplesOf(schema, generated));
  return { handler: express.Router().options('/', api).use(playground, api), warnings };
}

/** What is written by values of the generated input types, by their names. */
const writtenTypes = ({ contentTypes, components }: GeneratedSchema): ReadonlyMap<string, ContentType | Component> =>
  new Map<string, ContentType | Component>([
    ...[...contentTypes.values()].map((type) => [namesOf(type).input, type] as const),
    ...[...components.values()].map((component) => [componentNames(component).input, component] as const),
  ]);

/** The contexts of requests, for their resolvers. */
const createContextOf =
  (
    { documents, http }: BuiltInContext,
    reads: ReadLimits,
    shape: SchemaShape,
    form?: GraphqlForm,
  ): ServeOptions['contextOf'] =>
  (request, further) => {
    const state = strapiState(request.caller, further.koaContext?.state);
    const asking = {
      ...request,
      ...further,
      state,
      // Code can change the state while the request runs.
      get caller() {
        return callerIn(state);
      },
    };
    return Object.assign(asking, {
      ...createSelections(reads, asking, shape, form?.reads.presenter),
      budget: createResponseBudget(http.responses.limit),
      countData: documents.openCount().add,
      read: documents.read,
    });
  };

/** Names in one line of the log. */
const MAX_NAMES = 10;

/** Logs which fields prevent that responses are cached. */
function noteUncached(owned: readonly string[], log: BuiltInContext['log']): void {
  const paths = [...new Set(owned)].filter((path) => !/^(?:Mutation|Subscription)\./.test(path));
  if (paths.length === 0) return;
  const others = paths.length > MAX_NAMES ? ` and ${paths.length - MAX_NAMES} more` : '';
  const names = paths.slice(0, MAX_NAMES).join(', ');
  log.info(`GraphQL responses with fields that have code of the project are not cached: ${names}${others}`);
}

/**
 * Strapi v4's `state` for project code: a copy of the caller's data, made on first access.
 * @param state the state of the Koa context that it becomes a part of, if there is one
 */
export function strapiState(caller: Caller, state?: object): GraphqlState {
  const { kind, user, credentials, may } = caller;
  // A strategy of project code has set it.
  if (kind === 'strategy' && state !== undefined) return state as GraphqlState;
  let copy: GraphqlState['auth']['credentials'] | undefined;
  const credentialsCopy = (): GraphqlState['auth']['credentials'] => {
    copy ??= (structuredClone(credentials) ?? null) as GraphqlState['auth']['credentials'];
    return copy ?? (user === undefined ? null : { id: user });
  };
  const described = {
    isAuthenticated: true,
    auth: authOf(
      {
        strategy: { name: kind === 'token' ? 'api-token' : 'users-permissions' },
        get credentials() {
          return credentialsCopy();
        },
        ability: { can: may },
      },
      caller,
    ),
  };
  const ofUser = {
    get user() {
      return credentialsCopy() ?? undefined;
    },
    // Code can put another one in its place.
    set user(value) {
      Object.defineProperty(this, 'user', { value, writable: true, enumerable: true, configurable: true });
    },
  };
  const target = Object.assign(state ?? {}, described);
  if (kind === 'user') Object.defineProperties(target, Object.getOwnPropertyDescriptors(ofUser));
  return target as GraphqlState;
}
