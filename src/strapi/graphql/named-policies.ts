import type { Extension } from '../../plugins/contract/extension.js';
import type { NamedPolicies, Policy } from '../../plugins/contract/policies.js';
import type { OpenProject } from '../open-project.js';
import type { Anything } from '../strapi.js';

/** The policies and middlewares for `resolversConfig`: those of the extension, and of project code by their uids. */
export function namedPolicies({ policies = {}, middlewares = {} }: Extension, { strapi }: OpenProject): NamedPolicies {
  const handler = (policy: Anything): Policy => (typeof policy === 'function' ? policy : policy?.handler);
  const own = Object.entries(strapi.policies).map(([uid, policy]) => [bare(uid), handler(policy)] as const);
  const makers = Object.entries(strapi.middlewares).map(([uid, make]) => [bare(uid), makerOf(make)] as const);
  return {
    policies: { ...policies, ...Object.fromEntries(own) },
    middlewares: { ...middlewares, ...Object.fromEntries(makers) },
  };
}

/** `global::` can be omitted. */
const bare = (uid: string): string => uid.replace(/^global::/, '');

/** As in Strapi v4, a middleware named alone is used directly; one named with options is a factory. */
const makerOf =
  (middleware: Anything): NamedPolicies['middlewares'][string] =>
  (options, application) =>
    options === undefined ? middleware : middleware(options, application);
