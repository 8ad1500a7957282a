import { isRecord } from '../../config/record.js';
import { CLIENT } from '../../plugins/contract/application.js';
import { coreRequest, refuseConditions } from '../core/core-request.js';
import { CORE, modelOf, serviceCallsOf } from '../core/service.js';
import { SHARED } from '../core/controller.js';
import { transformResponse, transforming } from '../core/transform.js';
import { createServiceOfStrapi5 } from './core-service.js';
import { presentNested } from './nested-entry.js';
import type { Anything, Model, Named, StrapiContext } from '../strapi.js';
import { errors } from '../utilities/errors.js';

/** The helpers of every core controller, for project code (recorded: code/19-sanitize). */
function sharedMethods({ strapi }: StrapiContext, uid: string): Named {
  const model = (): Model => modelOf(strapi, uid);
  const { sanitize, validate } = strapi['contentAPI'] as Named<Named<(...given: unknown[]) => Promise<Anything>>>;
  const optionsOf = (context?: Named): Named => ({ auth: (context?.['state']?.auth as unknown) ?? {} });
  const query = (context: Named): unknown => context['query'] ?? {};
  return {
    transformResponse: (data: unknown, meta?: unknown) => {
      const format: unknown = strapi.requestContext.get()?.headers['strapi-response-format'];
      if (data === null || data === undefined) return data;
      if (typeof data !== 'object') throw new Error('Entry must be an object or an array of objects');
      if (format !== 'v4') return { data, meta: meta ?? {} };
      return transformResponse(data, meta, model(), { ...transforming(strapi), presenter: presentNested });
    },
    sanitizeOutput: async (data: unknown, context?: Named) =>
      sanitize?.['output']?.(data, model(), optionsOf(context)) as unknown,
    sanitizeInput: async (data: unknown, context?: Named) =>
      sanitize?.['input']?.(data, model(), optionsOf(context)) as unknown,
    sanitizeQuery: async (context: Named) =>
      sanitize?.['query']?.(query(context), model(), optionsOf(context)) as unknown,
    validateQuery: async (context: Named) =>
      validate?.['query']?.(query(context), model(), optionsOf(context)) as unknown,
    validateInput: async (data: unknown, context?: Named) =>
      validate?.['input']?.(data, model(), optionsOf(context)) as unknown,
  };
}

const CREATED = 201;
const NO_CONTENT = 204;

type Action = (this: Named, context: Named) => Promise<unknown>;

/**
 * The controller of a content type as code of Strapi 5 has it: every action calls methods of the controller and of the
 * service, which code may override.
 */
export function createControllerOfStrapi5(context: StrapiContext, uid: string): Named {
  const { strapi } = context;
  const isSingle = modelOf(strapi, uid).kind === 'singleType';
  const shared = sharedMethods(context, uid);
  const service = serviceCallsOf(strapi, uid, createServiceOfStrapi5);
  /** The query of a request, whose caller's rights to drafts hold for what code does with it. */
  const queryOf = async (controller: Named, koa: Named): Promise<Named> => {
    const request = coreRequest(koa, strapi);
    refuseConditions(request);
    await controller['validateQuery'](koa);
    return { ...(await controller['sanitizeQuery'](koa)), [CLIENT]: request.caller };
  };
  const answer = async (controller: Named, koa: Named, entry: unknown, meta?: unknown): Promise<unknown> =>
    controller['transformResponse'](await controller['sanitizeOutput'](entry, koa), meta);
  const dataOf = async (controller: Named, koa: Named): Promise<unknown> => {
    const body = (koa['request'] as Named)['body'] as Named | undefined;
    if (!isRecord(body?.['data'])) throw new errors.ValidationError('Missing "data" payload in the request body');
    await controller['validateInput'](body['data'], koa);
    return controller['sanitizeInput'](body['data'], koa);
  };
  const idOf = (koa: Named): unknown[] => (isSingle ? [] : [(koa['params'] as Named)['id']]);
  const collection: Readonly<Record<string, Action>> = {
    async find(koa) {
      const found = await service('find', await queryOf(this, koa));
      return answer(this, koa, found.results, { pagination: found.pagination as unknown });
    },
    async findOne(koa) {
      return answer(this, koa, await service('findOne', ...idOf(koa), await queryOf(this, koa)));
    },
    async create(koa) {
      const query = await queryOf(this, koa);
      const entry: unknown = await service('create', { ...query, data: await dataOf(this, koa) });
      const answered = await answer(this, koa, entry);
      koa['status'] = CREATED;
      return answered;
    },
  };
  const single: Readonly<Record<string, Action>> = {
    async find(koa) {
      return answer(this, koa, await service('find', await queryOf(this, koa)));
    },
  };
  const common: Readonly<Record<string, Action>> = {
    async update(koa) {
      const query = await queryOf(this, koa);
      const params = { ...query, data: await dataOf(this, koa) };
      return answer(this, koa, await service(isSingle ? 'createOrUpdate' : 'update', ...idOf(koa), params));
    },
    async delete(koa) {
      await service('delete', ...idOf(koa), await queryOf(this, koa));
      koa['status'] = NO_CONTENT;
    },
  };
  const steps = { ...(isSingle ? single : collection), ...common };
  const controller = Object.assign(Object.create(shared) as Named, steps);
  return Object.assign(controller, { [CORE]: { ...controller }, [SHARED]: shared });
}
