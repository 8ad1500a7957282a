import type { Documents } from '../../documents/documents.js';
import { AppError } from '../../errors/app-error.js';
import type { GraphqlParts, GraphqlResolver, GraphqlResolvers } from '../../plugins/contract/graphql/parts.js';
import type { EntityService } from '../../plugins/contract/application.js';
import { GENERIC_MORPH, namesOf, typeName, zoneName } from '../../plugins/contract/graphql/names.js';
import type { GeneratedSchema } from '../schema/generate.js';
import { shownAttributes } from '../schema/output-fields.js';
import type { RootField, RootFields } from '../schema/root-fields.js';
import type { ReadLimits } from './selection-for-resolver.js';
import { createDeferredRead } from './deferred-field.js';
import type { FieldGuard, FieldGuards } from '../field-guards.js';
import type { Arguments } from './listing.js';
import { observedOperations } from './observed-operations.js';
import { rootOperations, type Operations } from './root-resolvers.js';
import { valueResolvers } from './type-resolvers.js';

export interface ResolverOptions {
  readonly documents: Documents;
  readonly limits: ReadLimits;
  /** By root field, e.g. `Query.uploadFiles`: the required permission, in place of the generated action. */
  readonly actions: GraphqlParts['actions'];
  readonly guardOf: FieldGuards;
  /** Project code that observes lifecycle events; for which content types may change while the service runs. */
  readonly observed?: {
    readonly isObserved: (uid: string) => boolean;
    readonly entityService: EntityService;
  };
}

/** A type's resolvers behind its name. */
type Named = readonly [string, Readonly<Record<string, GraphqlResolver>>];

/** The resolvers of everything that is generated from the content types. */
export function createResolvers(
  { query, mutation, contentTypes, components, shadow }: GeneratedSchema,
  { documents, limits, actions, guardOf, observed }: ResolverOptions,
): GraphqlResolvers {
  const direct = rootOperations(documents, limits);
  const observing = observed && observedOperations(observed.entityService, documents, limits);
  const operationsOf = (uid: string): Operations =>
    observing !== undefined && observed?.isObserved(uid) === true ? observing : direct;
  const readLater = createDeferredRead(documents, limits);
  const root = (name: string, fields: RootFields): Readonly<Record<string, GraphqlResolver>> =>
    Object.fromEntries(
      [...fields].map(([field, rootField]) => [
        field,
        requirePermission(
          actionOf(`${name}.${field}`, rootField, actions),
          (_source, args, context, info) =>
            operationsOf(rootField.type.uid)[rootField.operation](rootField.type, args, context, info),
          guardOf(`${name}.${field}`),
        ),
      ]),
    );
  const queries = Object.entries(root('Query', query)).map(([field, resolve]) => [field, orFound(resolve)]);
  const all = [...contentTypes.values(), ...components.values()];
  const byUid = new Map(all.map((model) => [model.uid, typeName(model)]));
  const values = all.map((model): Named => [
    typeName(model),
    valueResolvers(model, shownAttributes(model, shadow), limits, readLater),
  ]);
  const zones = all.flatMap((model) =>
    shownAttributes(model, shadow)
      .filter(({ kind }) => kind === 'zone')
      .map((zone): Named => [zoneName(model, zone), { __resolveType: ({ __component }) => byUid.get(__component) }]),
  );
  const relations = [...contentTypes.values()].map((type): Named => [
    namesOf(type).relationCollection,
    { data: listOf },
  ]);
  return {
    Query: Object.fromEntries(queries),
    Mutation: root('Mutation', mutation),
    ...(all.length > 0 && { [GENERIC_MORPH]: { __resolveType: ({ __type }) => byUid.get(__type) } }),
    ...Object.fromEntries([...values, ...zones, ...relations]),
  };
}

/** As recorded, an empty to-many relation is an empty list, unlike over REST. */
const listOf: GraphqlResolver = ({ data }) => data ?? [];

/** The resolver of a field of Query; it returns the previous result when graphql-js continues a query. */
const orFound =
  (resolve: GraphqlResolver): GraphqlResolver =>
  (source, args, context, info) => {
    const { found } = context;
    const key = String(info.path.key);
    return found?.has(key) === true ? found.get(key) : resolve(source, args, context, info);
  };

const actionOf = (path: string, { action }: RootField, actions: GraphqlParts['actions']): string | undefined =>
  Object.hasOwn(actions, path) ? actions[path] : action;

/** The resolver behind the right that it needs, and behind the project's policies. */
export const requirePermission =
  (action: string | undefined, resolve: GraphqlResolver, guard?: FieldGuard): GraphqlResolver =>
  (source, args, context, info) => {
    if (action !== undefined && !context.caller.may(action)) throw new AppError('forbidden', 'Forbidden access');
    if (guard === undefined) return resolve(source, args, context, info);
    return guard(args as Arguments, context).then(() => resolve(source, args, context, info));
  };
