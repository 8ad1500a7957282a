import type { IResolvers } from '@graphql-tools/utils';
import { isObjectType, type GraphQLSchema, isScalarType } from 'graphql';
import type { Registry } from '../content-types/model/types.js';
import { StartError } from '../errors/start-error.js';
import { reasonOf } from '../errors/reason-of.js';
import type { BuiltInContext } from '../plugins/contract/built-in.js';
import type {
  GraphqlContext,
  GraphqlParts,
  GraphqlResolver,
  ShadowRule,
  GraphqlResolvers,
} from '../plugins/contract/graphql/parts.js';
import { uidOfAction, type Access, type Rules } from '../plugins/contract/access/access.js';
import type { RestGuard } from '../plugins/contract/access/policy-request.js';
import type { ReadLimits } from './execute/listing.js';
import { createFieldGuards, type FieldGuards } from './field-guards.js';
import { createResolvers } from './execute/create-resolvers.js';
import { requirePermission } from './execute/root-fields.js';
import type { Extended, ExtensionResolvers, ResolverConfig, Used } from './extension/extension.js';
import { markOverridden, ownedFields, pathsOf, type OwnedFields } from './extension/owned-fields.js';
import { wrapFields } from './extension/wrap-fields.js';
import { groupRules, offersGroups, withGroups } from './group-rules.js';
import { isWrapped } from './refused-fields.js';
import { createSubscriptions } from './subscription/changes.js';
import { makeSchema } from './schema/make-schema.js';
import type { Additions } from './schema/rules.js';
import { generateSchema, type GeneratedSchema } from './schema/generate.js';

interface SchemaOptions {
  readonly shadowCRUD: boolean;
  readonly additions: Additions;
  readonly limits: ReadLimits;
  readonly extended: Extended;
}

export interface BuiltSchema {
  readonly schema: GraphQLSchema;
  readonly generated: GeneratedSchema;
  /** The paths of generated resolvers that nothing overrides or wraps. */
  readonly cacheable: ReadonlySet<string>;
  /** Lines for the log. */
  readonly warnings: readonly string[];
  /** The fields with code of the project, by their paths: responses with one of them are never cached. */
  readonly owned: readonly string[];
}

/**
 * The schema of the content types, with the additions of plugins and the project.
 * @throws StartError if it is invalid
 */
export async function buildSchema(context: BuiltInContext, options: SchemaOptions): Promise<BuiltSchema> {
  const parts = options.shadowCRUD ? await pluginParts(context.graphql) : [onlyOk];
  const used = await options.extended.use(context.project.application);
  try {
    return joinSchema(context, options, parts, used);
  } catch (error) {
    if (error instanceof StartError || used.extensions.length === 0) throw error;
    throw new StartError(`The extended GraphQL schema cannot be built: ${reasonOf(error)}`, { cause: error });
  }
}

function joinSchema(
  context: BuiltInContext,
  { shadowCRUD, additions, limits, extended }: SchemaOptions,
  parts: readonly GraphqlParts[],
  used: Used,
): BuiltSchema {
  const { extensions: owned, addTypes } = used;
  const { registry, documents } = context;
  const { answererOf } = context.http;
  const restGuards = context.auth.restGuards();
  const { application: strapi, named } = context.project;
  const { project } = context.graphql;
  const { feeds } = context.http;
  const subscriptions = feeds === undefined || !shadowCRUD ? [] : [createSubscriptions(feeds)];
  const rules = [
    ...parts.flatMap((part) => part.rules ?? []),
    ...extended.shadow.rules(registry),
    ...(shadowCRUD ? [] : withoutTypes(registry)),
    ...withheldFields(context.auth.declared),
    ...(additions.aggregation ? groupRules({ registry, used, parts, project, restGuards, answererOf }) : []),
  ];
  const generated = generateSchema(registry, rules, additions);
  const rights = rightsOf(generated, parts);
  const fields = withGroups(ownedFields(owned), generated);
  const { configs, resolved, isOwned } = fields;
  const actions = Object.fromEntries([...rights].map(([path, action]) => [path, isOwned(path) ? undefined : action]));
  const guardOf = createFieldGuards(generated, rights, context.auth.guards);
  const isAnyOwned = isWrapped(used);
  const unowned: FieldGuards = (path) => (isOwned(path) ? undefined : guardOf(path));
  const resolvers = createResolvers(generated, {
    documents,
    limits,
    actions,
    guardOf: unowned,
    isDecidedByCode: (path) => isAnyOwned || hasCode(configs.get(path)),
    isOffered: offersGroups(answererOf),
    observed: project,
  });
  const schema = makeSchema(
    [
      // In the order of Strapi v4.
      ...owned.flatMap(({ typeDefs }) => typeDefs ?? []),
      generated.typeDefs,
      ...parts.map(({ typeDefs }) => typeDefs),
      ...subscriptions.map(({ typeDefs }) => typeDefs),
    ],
    [
      generated.resolvers,
      ...subscriptions.map(({ resolvers }) => resolvers),
      resolvers,
      ...parts.map((part) => guardParts(part, actions, unowned)),
      ...owned.map(({ resolvers = {} }) => plainResolvers(resolvers) as IResolvers<unknown, GraphqlContext>),
    ],
    addTypes,
  );
  markOverridden(schema, fields, generated, isAnyOwned);
  const subscribed = new Set(subscriptions.flatMap(({ resolvers }) => pathsOf(resolvers)));
  const configured = configuredFields(schema, fields, (path) => rights.has(path) || subscribed.has(path));
  const absent = wrapFields(schema, configured, { named, rights, strapi, guardOf });
  const warnings = [...absent, ...findUnguarded(rights, fields, restGuards)];
  const ownedPaths = [...configs.keys(), ...resolved];
  const overridden = new Set([...ownedPaths, ...parts.flatMap((part) => pathsOf(part.resolvers))]);
  const cacheable = isAnyOwned ? [] : pathsOf(resolvers).filter((path) => !overridden.has(path));
  return { schema, generated, cacheable: new Set(cacheable), warnings, owned: ownedPaths };
}

/** The fields that rules withhold from some callers, who get null. */
export const withheldFields = (declared: Access | undefined): readonly ShadowRule[] =>
  [...(declared?.roles ?? []), ...(declared?.tokens ?? [])].flatMap(({ rules = new Map() as Rules }) =>
    [...rules].flatMap(([action, { withheld = [] }]) =>
      [...withheld].map(({ name }) => ({ uid: uidOfAction(action), field: name, without: 'required' }) as const),
    ),
  );

/** The required action, by generated or plugin root field. */
export function rightsOf(
  { query, mutation }: GeneratedSchema,
  parts: readonly GraphqlParts[],
): ReadonlyMap<string, string | undefined> {
  return new Map<string, string | undefined>([
    ...[...query].map(([name, { action }]) => [`Query.${name}`, action] as const),
    ...[...mutation].map(([name, { action }]) => [`Mutation.${name}`, action] as const),
    ...parts.flatMap(({ actions }) => Object.entries(actions)),
  ]);
}

/** The parts of plugins, with the mutations that project code replaces. */
async function pluginParts({ parts, project }: BuiltInContext['graphql']): Promise<readonly GraphqlParts[]> {
  const replacements = Object.entries(project?.mutations ?? {});
  return (await parts()).map((part) => {
    const own = (part.resolvers['Mutation'] ?? {}) as Readonly<Record<string, GraphqlResolver>>;
    const replaced = Object.fromEntries(replacements.filter(([name]) => Object.hasOwn(own, name)));
    return { ...part, resolvers: { ...part.resolvers, Mutation: { ...own, ...replaced } } };
  });
}

/** A line for each root field that does not run what guards its action over REST. */
export const findUnguarded = (
  rights: ReadonlyMap<string, string | undefined>,
  { configs, resolved }: OwnedFields,
  restGuards: readonly RestGuard[],
): readonly string[] =>
  [...rights].flatMap(([path, right]) => {
    if (hasCode(configs.get(path))) return [];
    return restGuards
      .filter(({ action, replaces = false }) => action === right && !(replaces && resolved.has(path)))
      .map(
        ({ action, guard, replaces = false }) =>
          `${action}: GraphQL ${path} does not run the ${guard}; add policies with resolversConfig${replaces ? ', or a resolver' : ''}`,
      );
  });

/** Whether policies or middlewares stand around a field. */
const hasCode = ({ policies = [], middlewares = [] }: ResolverConfig = {}): boolean =>
  policies.length + middlewares.length > 0;

/**
 * What code of the project configures, and the root fields that are its own: they need a caller.
 * @param isOffered whether the service has a root field
 */
export function configuredFields(
  schema: GraphQLSchema,
  { configs, isOwned }: OwnedFields,
  isOffered: (path: string) => boolean,
): ReadonlyMap<string, ResolverConfig> {
  const around = rootFields(schema).filter((path) => isOwned(path) || !isOffered(path));
  return new Map<string, ResolverConfig>([...around.map((path) => [path, {}] as const), ...configs]);
}

const rootFields = (schema: GraphQLSchema): readonly string[] =>
  ['Query', 'Mutation', 'Subscription'].flatMap((root) => {
    const type = schema.getType(root);
    return isObjectType(type) ? Object.keys(type.getFields()).map((field) => `${root}.${field}`) : [];
  });

/**
 * As in Strapi v4, without shadowCRUD the schema only contains the project's additions, no content types and no other
 * plugins.
 */
const withoutTypes = ({ contentTypes, components }: Registry): readonly ShadowRule[] =>
  [...contentTypes.keys(), ...components.keys()].map((uid) => ({ uid, without: 'type' }));

/** Strapi v4's placeholder: a schema needs at least one query. */
const onlyOk: GraphqlParts = {
  typeDefs: 'type Query { ok: Boolean! }',
  resolvers: { Query: { ok: () => true } },
  actions: { 'Query.ok': undefined },
};

/**
 * The resolvers of a plugin; its root fields check their required permissions.
 * @param actions the required ones, by the path of the field
 * @throws Error if a root field has no declared permission: public fields must be declared as such
 */
export function guardParts(
  { resolvers, actions: declared }: GraphqlParts,
  actions: GraphqlParts['actions'],
  guardOf: FieldGuards,
): GraphqlResolvers {
  const guard = (root: 'Query' | 'Mutation'): Readonly<Record<string, GraphqlResolver>> => {
    const fields = Object.entries((resolvers[root] ?? {}) as Readonly<Record<string, GraphqlResolver>>);
    return Object.fromEntries(
      fields.map(([field, resolve]) => {
        const path = `${root}.${field}`;
        if (!Object.hasOwn(declared, path)) throw new Error(`${path} has no permission`);
        return [field, requirePermission(actions[path], resolve, guardOf(path))];
      }),
    );
  };
  return { ...resolvers, Query: guard('Query'), Mutation: guard('Mutation') };
}

/** Makes every resolver a function: an object with `resolve` would not replace a generated function. */
export function plainResolvers(resolvers: ExtensionResolvers): GraphqlResolvers {
  const plain = (of: ExtensionResolvers[string]): GraphqlResolvers[string] => {
    if (isScalarType(of)) return of;
    const fields = Object.entries(
      of as Readonly<Record<string, GraphqlResolver | { readonly resolve: GraphqlResolver }>>,
    );
    return Object.fromEntries(
      fields.map(([name, field]) => [name, typeof field === 'object' && 'resolve' in field ? field.resolve : field]),
    );
  };
  return Object.fromEntries(Object.entries(resolvers).map(([type, of]) => [type, plain(of)]));
}
