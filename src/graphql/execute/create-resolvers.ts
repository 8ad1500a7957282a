import type { Documents } from '../../documents/documents.js';
import { AppError } from '../../errors/app-error.js';
import type { GraphqlParts, GraphqlResolver, GraphqlResolvers } from '../../plugins/contract/graphql/parts.js';
import type { EntityService } from '../../plugins/contract/application.js';
import type { GraphqlProject } from '../../plugins/contract/graphql/project.js';
import { typeName } from '../../content-types/model/type-name.js';
import { GENERIC_MORPH, namesOf, zoneName } from '../../plugins/contract/graphql/names.js';
import type { GeneratedSchema } from '../schema/generate.js';
import { shownAttributes } from '../schema/output-fields.js';
import type { RootField, RootFields } from '../schema/root-fields.js';
import { createDeferredRead, isEntry, type DeferredRead } from './deferred-field.js';
import type { FieldGuard, FieldGuards } from '../field-guards.js';
import { type Arguments, parseListing, type ReadLimits } from './listing.js';
import { observedOperations } from './observed-operations.js';
import { optionsOf, rootOperations, type Operations } from './root-resolvers.js';
import type { Attribute, Component, ContentType } from '../../content-types/model/types.js';
import { hasRules, type Caller } from '../../documents/caller.js';
import { canReadRelation, withheldFrom } from '../../documents/rights.js';
import { keyOf } from './fields.js';
import { responseTypes } from './response-types.js';
import { isOpen } from './selection.js';
import { toResponse } from './to-entity.js';

interface ResolverOptions {
  readonly documents: Documents;
  readonly limits: ReadLimits;
  /** By root field, e.g. `Query.uploadFiles`: the required permission, in place of the generated action. */
  readonly actions: GraphqlParts['actions'];
  readonly guardOf: FieldGuards;
  /** Counts the entries of a list that a resolver of the project returned. */
  readonly count: EntityService['count'];
  /** Project code that observes lifecycle events; its content types can change at runtime. */
  readonly observed?: Pick<GraphqlProject, 'isObserved' | 'entityService'> | undefined;
}

type Named = readonly [string, Readonly<Record<string, GraphqlResolver>>];

/** The resolvers of everything that is generated from the content types. */
export function createResolvers(
  { query, mutation, contentTypes, components, shadow }: GeneratedSchema,
  { documents, limits, actions, guardOf, count, observed }: ResolverOptions,
): GraphqlResolvers {
  const direct = rootOperations(documents, limits);
  const observing = observed && observedOperations(observed.entityService, documents, limits);
  // The entity service has all permissions.
  const operationsOf = (type: ContentType, caller: Caller, args: Arguments): Operations => {
    const { uid } = type;
    if (observing === undefined || observed?.isObserved(uid) !== true || hasRules(caller)) return direct;
    const option = optionsOf(type).find((name) => args[name] !== undefined);
    if (option === undefined) return observing;
    throw new AppError('badRequest', `${option} is not supported here: code of the project observes ${uid}`);
  };
  const readLater = createDeferredRead(limits);
  const root = (name: string, fields: RootFields): Readonly<Record<string, GraphqlResolver>> =>
    Object.fromEntries(
      [...fields].map(([field, rootField]) => {
        const { type, operation } = rootField;
        const resolve: GraphqlResolver = (_source, args, context, info) =>
          operationsOf(type, context.caller, args)[operation](type, args, context, info);
        const path = `${name}.${field}`;
        return [field, requirePermission(actionOf(path, rootField, actions), resolve, guardOf(path))];
      }),
    );
  const all = [...contentTypes.values(), ...components.values()];
  const byUid = new Map(all.map((model) => [model.uid, typeName(model)]));
  const values = all.map((model): Named => {
    const resolvers = shownAttributes(model, shadow).flatMap((attribute) => {
      const resolver = resolverOf(attribute, model, limits, readLater);
      return resolver === undefined ? [] : [[attribute.name, resolver] as const];
    });
    return [typeName(model), Object.fromEntries(resolvers)];
  });
  const zones = all.flatMap((model) =>
    shownAttributes(model, shadow)
      .filter(({ kind }) => kind === 'zone')
      .map((zone): Named => [zoneName(model, zone), { __resolveType: ({ __component }) => byUid.get(__component) }]),
  );
  const responses = [...contentTypes.values()].map((type) => responseTypes(type, count));
  const entities = [...contentTypes.values()].map((type): Named => [
    namesOf(type).entity,
    { attributes: valuesOf(type) },
  ]);
  const queries = Object.entries(root('Query', query));
  return {
    Query: Object.fromEntries(queries.map(([field, resolve]) => [field, holdRead(resolve)])),
    Mutation: root('Mutation', mutation),
    ...(all.length > 0 && { [GENERIC_MORPH]: { __resolveType: ({ __type }) => byUid.get(__type) } }),
    ...Object.fromEntries([...values, ...zones, ...entities]),
    ...Object.assign({}, ...responses),
  };
}

/** Reads the values of an entity. As in Strapi v4, a resolver of the project can also return the entry itself. */
const valuesOf = ({ attributes }: ContentType): GraphqlResolver => {
  // Then only an entity has nothing else.
  const isAmbiguous = attributes.has('attributes');
  const isEntity = (source: Source): boolean =>
    Object.hasOwn(source, 'attributes') && !(isAmbiguous && Object.keys(source).length > 2);
  return (source: Source) => (isEntity(source) ? source['attributes'] : source);
};

/** A field of Query, which the cache of responses may hold back. */
const holdRead =
  (resolve: GraphqlResolver): GraphqlResolver =>
  (source, args, context, info) =>
    context.hold === undefined
      ? resolve(source, args, context, info)
      : context.hold((read) => resolve(source, args, { ...context, read }, info));

const actionOf = (path: string, { action }: RootField, actions: GraphqlParts['actions']): string | undefined =>
  Object.hasOwn(actions, path) ? actions[path] : action;

/** Wraps a resolver with its permission check and the project's policies. */
export const requirePermission =
  (action: string | undefined, resolve: GraphqlResolver, guard?: FieldGuard): GraphqlResolver =>
  (source, args, context, info) => {
    if (action !== undefined && !context.caller.may(action)) throw new AppError('forbidden', 'Forbidden access');
    if (guard === undefined) return resolve(source, args, context, info);
    return guard(args as Arguments, context).then(() => resolve(source, args, context, info));
  };

type Source = Readonly<Record<string, unknown>>;

/** The resolver of a field of fetched entries and components; undefined if the default resolver suffices. */
function resolverOf(
  attribute: Attribute,
  model: ContentType | Component,
  limits: ReadLimits,
  readLater: DeferredRead,
): GraphqlResolver | undefined {
  const orLater =
    (none: unknown, target?: ContentType | Component): GraphqlResolver =>
    (source, args, context, info) => {
      const planned: unknown = source[keyOf(info.fieldNodes)];
      if (planned !== undefined) return planned;
      const plain: unknown = source[attribute.name];
      // As in Strapi v4, entries of code are read again: what they bring may have drafts. Those that are not stored keep it.
      if (plain !== undefined && !isEntry(model, source))
        return attribute.kind === 'relation' ? toResponse(plain) : plain;
      if (isWithheld(attribute, model, context.caller)) return null;
      if (target !== undefined) parseListing(args, target, context.caller, limits);
      if (!isEntry(model, source)) return none;
      const read = readLater(attribute, model, source, args, context, info);
      return read === undefined ? none : Promise.resolve(read).then((value) => value ?? none);
    };
  switch (attribute.kind) {
    case 'relation': {
      const resolve = orLater({ data: null }, attribute.target);
      if (isOpen(model, limits)) return resolve;
      return (source, args, context, info) => {
        if (!canReadRelation(attribute, context.caller)) throw new AppError('forbidden', 'Forbidden access');
        return resolve(source, args, context, info);
      };
    }
    case 'component':
      return orLater(null, attribute.component);
    case 'zone':
      return orLater(null);
    case 'morph':
      return orLater(attribute.many ? [] : null);
    case 'scalar':
      // What a resolver of the project returns may have it.
      return attribute.type === 'password' ? () => null : undefined;
    case 'morphed':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

/** Whether a rule withholds the attribute from the caller where its value was not read. */
const isWithheld = (attribute: Attribute, model: ContentType | Component, caller: Caller): boolean =>
  model.kind !== 'component' &&
  (['find', 'findOne'] as const).some((action) => withheldFrom(model, caller, action)?.has(attribute));
