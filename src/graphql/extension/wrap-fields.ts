import { defaultFieldResolver, isObjectType, type GraphQLSchema } from 'graphql';
import { nearestName } from '../../errors/nearest-name.js';
import { AppError } from '../../errors/app-error.js';
import { StartError } from '../../errors/start-error.js';
import type { Caller } from '../../documents/caller.js';
import { keepArrived } from '../../plugins/contract/arrived-body.js';
import type { Application } from '../../plugins/contract/application.js';
import type { GraphqlResolver } from '../../plugins/contract/graphql/parts.js';
import type { Middleware, NamedPolicies, Policy, PolicyContext } from '../../plugins/contract/policies.js';
import type { FieldGuards } from '../field-guards.js';
import type { ResolverConfig } from './extension.js';

export interface WrapOptions {
  readonly named: NamedPolicies;
  /** The required permission of generated root fields and those of plugins; undefined: public. */
  readonly rights: ReadonlyMap<string, string | undefined>;
  readonly strapi: Application;
  readonly guardOf: FieldGuards;
}

/**
 * Wraps the resolvers of a schema with the project's configuration: permissions first, then middlewares, then policies.
 * @returns a warning for each field that the schema lacks, whose configuration guards nothing, as in Strapi v4
 * @throws StartError naming a policy or middleware that there is not
 */
export function wrapFields(
  schema: GraphQLSchema,
  configs: ReadonlyMap<string, ResolverConfig>,
  { named, rights, strapi, guardOf }: WrapOptions,
): readonly string[] {
  const warnings: string[] = [];
  for (const [path, config] of configs) {
    const [typeName = '', fieldName = ''] = path.split('.');
    const type = schema.getType(typeName);
    const fields = isObjectType(type) ? type.getFields() : {};
    const field = fields[fieldName];
    if (field === undefined) {
      const nearest = nearestName(fieldName, Object.keys(fields));
      const meant = nearest === undefined ? '' : `; did you mean ${typeName}.${nearest}?`;
      warnings.push(`resolversConfig: the schema has no field ${path}, so this configures and guards nothing${meant}`);
      continue;
    }
    const resolve = (field.resolve ?? defaultFieldResolver) as GraphqlResolver;
    const policies = (config.policies ?? []).map((policy) => policyOf(policy, named, path));
    const guarded: GraphqlResolver = async (parent, args, context, info) => {
      for (const { handle, config: policyConfig } of policies) {
        const policyContext = createPolicyContext(parent, args, context, info);
        if (
          ![true, undefined].includes((await handle(policyContext, policyConfig, { strapi })) as boolean | undefined)
        ) {
          throw new AppError('policyFailed');
        }
      }
      return resolve(parent, args, context, info);
    };
    const middlewares = (config.middlewares ?? []).map((middleware) =>
      middlewareOf(middleware, named, { path, strapi }),
    );
    const chained = middlewares.reduceRight<GraphqlResolver>(
      (next, middleware) => (parent, args, context, info) => middleware(next, parent, args, context, info),
      policies.length === 0 ? resolve : guarded,
    );
    const isAllowed = whoMay(path, config.auth, rights);
    const guard = guardOf(path);
    field.resolve = (parent, args, context, info) => {
      if (!isAllowed(context.caller)) throw new AppError('forbidden', 'Forbidden access');
      if (typeName === 'Mutation') keepArrived(info, args);
      if (guard === undefined) return chained(parent, args, context, info);
      return guard(args, context, () => chained(parent, args, context, info));
    };
  }
  return warnings;
}

/** The first argument of a policy, as in Strapi v4. */
const createPolicyContext = (...[parent, args, context, info]: Parameters<GraphqlResolver>): PolicyContext => ({
  type: 'graphql',
  is: (name) => name === 'graphql',
  parent: parent as unknown,
  args: args as unknown,
  context,
  info,
  state: context.state,
  http: context.koaContext,
});

/** As in Strapi v4, a root field of the project without a scope requires a logged-in user or a full-access token. */
function whoMay(
  path: string,
  auth: ResolverConfig['auth'],
  rights: WrapOptions['rights'],
): (caller: Caller) => boolean {
  if (auth === false || (auth === undefined && !/^(?:Query|Mutation|Subscription)\./.test(path))) return () => true;
  if (auth?.scope !== undefined) {
    const scope = [auth.scope].flat();
    return (caller) => scope.every((action) => caller.may(action));
  }
  if (auth === undefined && rights.has(path)) {
    const action = rights.get(path);
    return (caller) => action === undefined || caller.may(action);
  }
  return ({ kind, may }) => kind === 'user' || may('graphql.unscoped');
}

function policyOf(
  policy: NonNullable<ResolverConfig['policies']>[number],
  { policies }: NamedPolicies,
  path: string,
): { readonly handle: Policy; readonly config: unknown } {
  if (typeof policy === 'function') return { handle: policy, config: {} };
  const { name, config = {} } = typeof policy === 'string' ? { name: policy } : policy;
  const handle = find(policies, name);
  if (handle === undefined) throw new StartError(`resolversConfig of ${path}: unknown policy "${name}"`);
  return { handle, config };
}

function middlewareOf(
  middleware: NonNullable<ResolverConfig['middlewares']>[number],
  { middlewares }: NamedPolicies,
  { path, strapi }: { readonly path: string; readonly strapi: Application },
): Middleware {
  if (typeof middleware === 'function') return middleware;
  const { name, options } = typeof middleware === 'string' ? { name: middleware, options: undefined } : middleware;
  const make = find(middlewares, name);
  if (make === undefined) throw new StartError(`resolversConfig of ${path}: unknown middleware "${name}"`);
  return make(options, { strapi });
}

/** The prefix `global::` has no effect. */
const find = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined => {
  const bare = name.replace(/^global::/, '');
  return Object.hasOwn(table, bare) ? table[bare] : undefined;
};
