import type { Extension } from '../../plugins/contract/extension.js';
import type { NamedPolicies, Policy } from '../../plugins/contract/policies.js';
import type { OpenProject } from '../open-project.js';
import type { Anything } from '../strapi.js';

/** What `resolversConfig` of GraphQL may name: of the extension, and of a project's code by the uids of Strapi v4. */
export function namedPolicies({ policies = {}, middlewares = {} }: Extension, { strapi }: OpenProject): NamedPolicies {
  const handler = (policy: Anything): Policy => (typeof policy === 'function' ? policy : policy?.handler);
  const own = Object.entries(strapi.policies).map(([uid, policy]) => [bare(uid), handler(policy)] as const);
  const makers = Object.entries(strapi.middlewares).map(([uid, make]) => [bare(uid), makerOf(make)] as const);
  return {
    policies: { ...policies, ...Object.fromEntries(own) },
    middlewares: { ...middlewares, ...Object.fromEntries(makers) },
  };
}

/** `global::` may be left out. */
const bare = (uid: string): string => uid.replace(/^global::/, '');

/** As in Strapi v4 one that is named alone is a middleware itself; one that is named with options makes it of them. */
const makerOf =
  (middleware: Anything): NamedPolicies['middlewares'][string] =>
  (options, application) =>
    options === undefined ? middleware : middleware(options, application);
