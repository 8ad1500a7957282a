import lodash from 'lodash';
import type { Anything, Named, Strapi } from '../strapi.js';

/** The origin of a policy's name: one of the same API or plugin can use its short name. */
export interface Origin {
  readonly apiName?: string;
  readonly pluginName?: string;
}

/** The uid of what an API or plugin calls by this name; undefined: it belongs to neither. */
export function uidIn({ apiName, pluginName }: Origin, name: string): string | undefined {
  if (pluginName !== undefined) return `plugin::${pluginName}.${name}`;
  return apiName === undefined ? undefined : `api::${apiName}.${name}`;
}

interface PolicyDefinition {
  readonly name?: string;
  readonly validator?: (config: unknown) => unknown;
  readonly handler: Anything;
}

function createPolicy({ name = 'unnamed', validator, handler }: PolicyDefinition): PolicyDefinition {
  const validate = (config: unknown): void => {
    try {
      validator?.(config);
    } catch (error) {
      throw new Error(`Invalid config passed to "${name}" policy.`, { cause: error });
    }
  };
  return { name, validator: validate, handler };
}

/** The argument of a policy: the properties of the request context, and its kind. */
export const createPolicyContext = (type: string, context: object): object => ({
  type,
  is: (name: string) => name === type,
  ...context,
});

/** Middleware of a route of Strapi v3: it describes the route for policies. */
const globalPolicy =
  ({ method, endpoint, controller, action, plugin }: Named<string>) =>
  async (context: Anything, next: () => Promise<unknown>): Promise<void> => {
    context.request.route = {
      endpoint: `${method} ${endpoint}`,
      controller: lodash.toLower(controller),
      action: lodash.toLower(action),
      verb: lodash.toLower(method),
      plugin,
    };
    await next();
  };

const isPolicy = (policy: Anything): boolean => [policy, policy?.handler].some((run) => typeof run === 'function');

/** `policy` of `@strapi/utils`. @param strapi the application with the policies */
export function createPolicyUtilities(strapi: Strapi): Named {
  const find = (name: string, origin: Origin = {}): Anything => {
    const uids = [name, uidIn(origin, name) ?? ''];
    const registered: unknown = uids.map((uid) => strapi.policy(uid) as unknown).find(isPolicy);
    if (registered === undefined) throw new Error(`Could not find policy "${name}"`);
    return registered;
  };
  const get = (policy: Anything, origin?: Origin): unknown => {
    if (typeof policy === 'function') return policy;
    const { name, config = {} } = typeof policy === 'string' ? { name: policy } : policy;
    const policyObject = find(name, origin);
    if (typeof policyObject === 'function') return policyObject;
    policyObject.validator?.(config);
    return policyObject.handler;
  };
  return {
    createPolicy,
    globalPolicy,
    createPolicyContext,
    get,
    resolve: (policies: readonly Anything[], origin?: Origin) =>
      policies.map((policy) => ({ handler: get(policy, origin), config: policy?.config ?? {} })),
  };
}
