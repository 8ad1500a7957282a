import type { Context, Middleware } from 'koa';
import type { Anything, Named, Strapi } from '../strapi.js';
import { errors } from '../utilities/errors.js';
import { createPolicyContext } from '../utilities/policy.js';

/** The origin of a route, for relative names. */
export interface Origin {
  readonly apiName?: string;
  readonly pluginName?: string;
}

type Handler = (context: Anything, config: unknown, parts: { readonly strapi: Strapi }) => unknown;

/** A policy may be a function, or an object with one. */
const handlerOf = (policy: Anything): Handler | undefined =>
  typeof policy === 'function' ? policy : typeof policy?.handler === 'function' ? policy.handler : undefined;

/** @throws Error for an unknown policy */
function findPolicy(strapi: Strapi, name: string, { apiName, pluginName }: Origin): Handler {
  const local = apiName === undefined ? `plugin::${pluginName}.${name}` : `api::${apiName}.${name}`;
  const policy = handlerOf(strapi.policy(name)) ?? handlerOf(strapi.policy(local));
  if (policy === undefined) throw new Error(`Could not find policy "${name}"`);
  return policy;
}

/**
 * Runs the policies of a route. Only `true` and undefined let a request pass.
 * @throws Error for an unknown policy
 */
export function runPolicies(strapi: Strapi, policies: readonly unknown[], origin: Origin): Middleware {
  const all = policies.map((policy) => {
    if (typeof policy === 'function') return { handler: policy as Handler, config: {} };
    const { name, config = {} } = (typeof policy === 'string' ? { name: policy } : policy) as Named;
    return { handler: findPolicy(strapi, String(name), origin), config };
  });
  return async (context: Context, next) => {
    const policyContext = all.length === 0 ? undefined : createPolicyContext('koa', context);
    for (const { handler, config } of all) {
      const result = await handler(policyContext, config, { strapi });
      if (result !== true && result !== undefined) throw new errors.PolicyError();
    }
    return next();
  };
}
