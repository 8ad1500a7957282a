import { createEntryChecks } from '../../calls/entry-checks.js';
import { runnerOf } from '../../calls/who-answers.js';
import { isAbsent } from '../../config/record.js';
import { AppError, ifNotFound } from '../../errors/app-error.js';
import { hasStatus, parseWrittenStatus } from '../../query/parse/parse-status.js';
import { explainQuery } from '../entity-service/convert-params.js';
import { PREVIEWED } from '../entity-service/entity-service.js';
import { refuseReadParameters } from '../../query/plugin-parameters.js';
import { entryEnvelope } from '../../rest/response/envelopes.js';
import { restPresenter } from '../../rest/response/rest-presenter.js';
import { errors } from '../utilities/errors.js';
import type { Model, Named, Strapi, StrapiContext } from '../strapi.js';
import type { CoreAction } from '../../plugins/contract/answerer.js';
import { CLIENT } from '../../plugins/contract/application.js';
import { hasRules, type Caller } from '../../documents/caller.js';
import { coreRequest, refuseConditions, setTag, type CoreRequest } from './core-request.js';
import { collectionActions, isPreviewed, singleActions, type DirectParts } from './direct.js';
import { writeObserved } from './observed-writes.js';
import { CORE, createService, isCoreMethod, methodOf, modelOf, serviceCallsOf, type CallService } from './service.js';
import { transformResponse, transforming } from './transform.js';

type Body = { readonly data?: unknown; readonly files?: unknown };

/** The helpers of every core controller, for project code. */
function sharedMethods({ strapi, utils }: StrapiContext, uid: string): Named {
  const model = (): Model => modelOf(strapi, uid);
  const query = (context: Named): unknown => context['query'] ?? {};
  // Code that leaves the context out has no permissions.
  const options = (context?: Named): Named => ({ auth: (context?.['state']?.auth as unknown) ?? {} });
  return {
    transformResponse: (data: unknown, meta?: unknown) => transformResponse(data, meta, model(), transforming(strapi)),
    sanitizeOutput: async (data: unknown, context?: Named) =>
      utils['sanitize'].contentAPI.output(data, model(), options(context)),
    sanitizeInput: async (data: unknown, context?: Named) =>
      utils['sanitize'].contentAPI.input(data, model(), options(context)),
    sanitizeQuery: async (context: Named) =>
      utils['sanitize'].contentAPI.query(query(context), model(), options(context)),
    validateQuery: async (context: Named) =>
      utils['validate'].contentAPI.query(query(context), model(), options(context)),
    validateInput: async (data: unknown, context?: Named) =>
      utils['validate'].contentAPI.input(data, model(), options(context)),
  };
}

/** The client of a request, and its body. */
interface ClientRequest {
  readonly caller: Caller;
  /** A preview link shows the entry, also as a draft. */
  readonly isPreviewed: boolean;
  readonly body: () => Body;
}

/** A core action that calls methods of the controller and the service, which project code may override. */
type Action = (this: Named, context: Named, service: CallService, sent: ClientRequest) => Promise<unknown>;

const collectionSteps: Readonly<Record<string, Action>> = {
  async find(context, service, sent) {
    const query = await checkedQuery(this, context);
    const { results, pagination } = await service('find', forClient(query, sent));
    return this['transformResponse'](await this['sanitizeOutput'](results, context), { pagination });
  },
  async findOne(context, service, sent) {
    const query = await checkedQuery(this, context);
    return answer(this, context, await service('findOne', context['params'].id, forClient(query, sent)));
  },
  async create(context, service, sent) {
    const params = await withData(this, context, await checkedQuery(this, context), sent);
    return answer(this, context, await service('create', params));
  },
  async update(context, service, sent) {
    const params = await withData(this, context, await checkedQuery(this, context), sent);
    return answer(this, context, await service('update', context['params'].id, params));
  },
  async delete(context, service, sent) {
    const query = await checkedQuery(this, context);
    return answer(this, context, await service('delete', context['params'].id, forClient(query, sent)));
  },
};

const singleSteps: Readonly<Record<string, Action>> = {
  async find(context, service, sent) {
    return answer(this, context, await service('find', forClient(await checkedQuery(this, context), sent)));
  },
  async update(context, service, sent) {
    const params = await withData(this, context, context['query'], sent);
    return answer(this, context, await service('createOrUpdate', params));
  },
  async delete(context, service, sent) {
    return answer(this, context, await service('delete', forClient(context['query'], sent)));
  },
};

async function checkedQuery(controller: Named, context: Named): Promise<Named> {
  await controller['validateQuery'](context);
  return (await controller['sanitizeQuery'](context)) as Named;
}

/** The parameters of a request that writes, with its data and files. */
async function withData(controller: Named, context: Named, query: Named, sent: ClientRequest): Promise<Named> {
  const { data: written, files } = sent.body();
  const data: unknown = await controller['sanitizeInput'](written, context);
  return forClient({ ...query, data, files }, sent);
}

/** Parameters that name the client, as far as code passes them on: drafts hidden from it do not exist. */
const forClient = (params: Named | undefined, { caller, isPreviewed: previewed }: ClientRequest): Named => ({
  ...params,
  ...(previewed && { publicationState: 'preview' }),
  [CLIENT]: caller,
  [PREVIEWED]: previewed,
});

const answer = async (controller: Named, context: Named, entry: unknown): Promise<unknown> =>
  controller['transformResponse'](await controller['sanitizeOutput'](entry, context));

/**
 * The controller of a content type, as in Strapi v4. An action calls the documents service directly, as fast as without
 * code, unless project code overrides a method that it would call, or observes events of the type. For callers with
 * rules it always does so, because the entity service has all permissions.
 * @throws Error for an unknown content type
 */
export function createController(context: StrapiContext, uid: string): Named {
  const { kind } = modelOf(context.strapi, uid);
  const isSingle = kind === 'singleType';
  const [steps, direct] = isSingle ? [singleSteps, singleActions] : [collectionSteps, collectionActions];
  const readOne = isSingle ? 'find' : 'findOne';
  const shared = sharedMethods(context, uid);
  /**
   * Runs an action by methods of the controller and the service.
   * @param isObserved none of them is overridden: only events of the type run code
   */
  const runSteps = async (
    controller: Named,
    koa: Named,
    { action, request, parts, isObserved }: StepsOptions,
  ): Promise<unknown> => {
    const { type } = parts;
    refuseReadParameters(request.query, type, 'code of the project reads these entries');
    const service = serviceCallsOf(context.strapi, uid, createService);
    const id = isSingle ? undefined : Number(request.params['id']);
    const sent: ClientRequest = {
      caller: request.caller,
      isPreviewed: isObserved && action === readOne && isPreviewed(parts, request, id),
      body: () => bodyOf(context, koa, request),
    };
    const run = (name: string): Promise<unknown> =>
      explainQuery(steps[name]?.call(controller, koa, service, sent) ?? Promise.resolve(), request.query, type);
    if (!isObserved || reads.has(action)) {
      refuseConditions(request);
      return run(action);
    }
    const findSingle = async (): Promise<number | undefined> => {
      const found: unknown = await service('find', forClient(request.query, sent));
      return (found as { readonly id: number } | null)?.id;
    };
    const { store } = context.runtime(`the controller of ${uid}`);
    return writeObserved({ ...parts, store }, request, {
      read: () => run(readOne),
      findSingle: isSingle ? findSingle : undefined,
      write: () => run(action),
    });
  };
  const actions = (Object.keys(steps) as CoreAction[]).map((action) => {
    const method = methodOf(kind, action);
    const run = async function (this: Named, koa: Named): Promise<unknown> {
      const request = coreRequest(koa, context.strapi);
      const isUnchanged = isCoreMethod(context.strapi.service(uid), method) && isUntouched(this, shared);
      const parts = directParts(context, uid);
      const { type } = parts;
      const { isObserved } = context.strapi.db.lifecycles;
      const named = ['status', 'modified'].find((name) => !isAbsent(request.query[name]));
      const runner = runnerOf({
        isOverridden: !isUnchanged,
        isObserved: isObserved(uid, action),
        isReadObserved: isObserved(uid, reads.has(action) ? action : readOne),
        hasRules: hasRules(request.caller),
        namesState: hasStatus(type) && named !== undefined,
        publishes: updates.has(action) && parseWrittenStatus(request.query['status'], type) !== undefined,
      });
      if (runner === 'forbidden') throw new errors.ForbiddenError();
      if (runner === 'refused')
        throw new AppError(
          'badRequest',
          `${named} is not supported here: code of the project reads or writes these entries`,
        );
      const running =
        runner === 'core'
          ? direct[action]?.(parts, request)
          : runSteps(this, koa, { action, request, parts, isObserved: isUnchanged });
      // Project code gets null for a missing entry, not an error.
      const answered: unknown = await running?.catch(ifNotFound(null));
      if (action === readOne) setTag(request, answered, parts.responseLimit);
      return answered;
    };
    return [action, run] as const;
  });
  const controller = Object.assign(Object.create(shared) as Named, Object.fromEntries(actions));
  return Object.assign(controller, { [CORE]: { ...controller }, [SHARED]: shared });
}

interface StepsOptions {
  readonly action: string;
  readonly request: CoreRequest;
  readonly parts: DirectParts;
  readonly isObserved: boolean;
}

const reads: ReadonlySet<string> = new Set(['find', 'findOne']);
const updates: ReadonlySet<string> = new Set(['update']);

/** A property of core controllers with their helpers. */
export const SHARED = Symbol('shared');

const isUntouched = (controller: Named, shared: Named): boolean =>
  Object.keys(shared).every((method) => controller[method] === shared[method]);

/** Whether this action and the methods that it calls are not overridden. */
export function isCoreAction(controller: unknown, action: string): boolean {
  const shared = (controller as { readonly [SHARED]?: Named } | undefined)?.[SHARED];
  return shared !== undefined && isCoreMethod(controller, action) && isUntouched(controller as Named, shared);
}

/** Whether an action reads and writes entries as the core does, by its controller and its service. */
export const isCore = (strapi: Strapi, { uid, kind }: Pick<Model, 'uid' | 'kind'>, action: string): boolean =>
  isCoreAction(strapi.controller(uid), action) && isCoreMethod(strapi.service(uid), methodOf(kind, action));

function directParts({ runtime }: StrapiContext, uid: string): DirectParts {
  const { registry, documents, plugins, bodyReaders, idempotencyKeys } = runtime(`the controller of ${uid}`);
  const type = registry.contentTypes.get(uid);
  if (type === undefined) throw new Error(`unknown content type "${uid}"`);
  const { limit: responseLimit } = plugins.http.responses;
  const { readPreview } = plugins.auth;
  const { limits } = plugins;
  const checks = createEntryChecks({ documents, limits, responseLimit, presentOne: entryEnvelope });
  const presenter = restPresenter;
  return { type, documents, limits, bodyReaders, checks, presenter, idempotencyKeys, readPreview, responseLimit };
}

/** @throws ValidationError without data */
function bodyOf({ utils }: StrapiContext, { request }: Named, { is, body }: CoreRequest): Body {
  const read: Body = is('multipart')
    ? utils['parseMultipartData']({ is, request })
    : { data: (body as Body | undefined)?.data };
  if (typeof read.data !== 'object' || read.data === null) {
    throw new errors.ValidationError('Missing "data" payload in the request body');
  }
  return read;
}
