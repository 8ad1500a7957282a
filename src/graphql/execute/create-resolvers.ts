import { runnerOf } from '../../calls/who-answers.js';
import { isAbsent } from '../../config/record.js';
import { hasStatus } from '../../query/parse/parse-status.js';
import type { Documents } from '../../documents/documents.js';
import { AppError } from '../../errors/app-error.js';
import type { GraphqlParts, GraphqlResolver, GraphqlResolvers } from '../../plugins/contract/graphql/parts.js';
import type { CoreAction } from '../../plugins/contract/answerer.js';
import type { GraphqlProject } from '../../plugins/contract/graphql/project.js';
import { typeName } from '../../content-types/model/type-name.js';
import { GENERIC_MORPH, namesOf, zoneName } from '../../plugins/contract/graphql/names.js';
import type { GeneratedSchema } from '../schema/generate.js';
import { shownAttributes } from '../schema/output-fields.js';
import { v4Shape, type SchemaShape } from '../schema/shape.js';
import type { EntryPresenter } from '../../query/entry-presenter.js';
import { graphqlPresenter } from '../../plugins/contract/graphql/presenter.js';
import type { RootField } from '../schema/root-fields.js';
import {
  createDeferredRead,
  createRelatedRead,
  isEntry,
  type DeferredRead,
  type RelatedRead,
} from './deferred-field.js';
import { refuseOtherNames, type FieldGuards } from '../field-guards.js';
import { type Arguments, parseListing, type ReadLimits } from './listing.js';
import { observedOperations } from './observed-operations.js';
import { rootResolvers, showing } from './root-fields.js';
import { optionsOf, rootOperations, v4Fields, type EntryOperation, type Operations } from './root-resolvers.js';
import type { Attribute, Component, ContentType } from '../../content-types/model/types.js';
import { hasRules, type Caller } from '../../documents/caller.js';
import { canReadRelation, withheldFrom } from '../../documents/rights.js';
import { isSeen } from '../extension/owned-fields.js';
import { keyOf } from './fields.js';
import { filterInput } from './filter-input.js';
import { createGroupsRead } from './groups.js';
import { asSeen, responseTypes, type Count, type ResponseInfo } from './response-types.js';
import { strapiArguments } from './strapi-arguments.js';
import { isOpen } from './selection.js';

interface ResolverOptions {
  readonly documents: Documents;
  readonly limits: ReadLimits;
  /** By root field, e.g. `Query.uploadFiles`: the required permission, in place of the generated action. */
  readonly actions: GraphqlParts['actions'];
  readonly guardOf: FieldGuards;
  /** Whether code of the project decides who gets the field of this path. */
  readonly isDecidedByCode: (path: string) => boolean;
  /** Whether the service alone decides what lists of a type have. */
  readonly isOffered: (type: ContentType) => boolean;
  /** Project code that observes lifecycle events; its content types can change at runtime. */
  readonly observed?: Pick<GraphqlProject, 'isObserved' | 'entityService'> | undefined;
}

const actionsOf: Readonly<Record<EntryOperation, CoreAction>> = {
  find: 'find',
  findOne: 'findOne',
  findSingle: 'find',
  create: 'create',
  update: 'update',
  delete: 'delete',
  updateSingle: 'update',
  deleteSingle: 'delete',
};

type Named = readonly [string, Readonly<Record<string, GraphqlResolver>>];

/** The resolvers of everything that is generated from the content types. */
export function createResolvers(
  generated: GeneratedSchema,
  { documents, limits, actions, guardOf, isDecidedByCode, isOffered, observed }: ResolverOptions,
): GraphqlResolvers {
  const { contentTypes } = generated;
  const direct = rootOperations(documents, limits);
  const observing = observed && observedOperations(observed.entityService, documents, limits);
  const operationsOf = (type: ContentType, action: CoreAction, caller: Caller, args: Arguments): Operations => {
    const { uid } = type;
    if (observing === undefined || observed === undefined) return direct;
    const read = action === 'find' || action === 'findOne' ? action : type.kind === 'singleType' ? 'find' : 'findOne';
    const runner = runnerOf({
      // Fields of the project have their own resolvers.
      isOverridden: false,
      isObserved: observed.isObserved(uid, action),
      isReadObserved: observed.isObserved(uid, read),
      hasRules: hasRules(caller),
      namesState: hasStatus(type) && !isAbsent(args['status']),
      publishes: false,
    });
    if (runner === 'core') return direct;
    const option = optionsOf(type).find((name) => args[name] !== undefined);
    if (option === undefined) return observing;
    throw new AppError('badRequest', `${option} is not supported here: code of the project observes ${uid}`);
  };
  const readGroups = createGroupsRead({
    limits,
    shape: v4Shape,
    reads: v4Fields,
    isOffered,
  });
  const reading = { limits, shape: v4Shape, presenter: graphqlPresenter };
  const values = valueResolvers(generated, {
    ...reading,
    ofCode: { readLater: createDeferredRead(reading), readRelated: createRelatedRead(reading) },
  });
  const resolveField = (path: string, { type, operation }: RootField): GraphqlResolver => {
    const { entity } = namesOf(type);
    const page = operation === 'find' ? limits : undefined;
    return async (_source, args, context, info) => {
      if (operation === 'aggregate') return readGroups(type, args as Arguments, context, info);
      if (operation === 'findOne' && isDecidedByCode(path)) refuseOtherNames(args as Arguments, type);
      const operations = operationsOf(type, actionsOf[operation], context.caller, args);
      const response = await operations[operation](type, args, context, info);
      if (!isSeen(info.schema.getType(entity))) return response;
      return asSeen(response as object, path.startsWith('Query.'), infoOf(type, args, page));
    };
  };
  const actionOf = (path: string, { action }: RootField): string | undefined =>
    Object.hasOwn(actions, path) ? actions[path] : action;
  const types = new Map([...contentTypes.values()].map((type) => [type.uid, type]));
  const count: Count = async (uid, args, context) => {
    const type = types.get(uid);
    if (type === undefined)
      throw new Error(`The resourceUID "${uid}" of a collection is no content type of the schema`);
    return operationsOf(type, 'find', context.caller, {}).count(type, args, context);
  };
  const responses = [...contentTypes.values()].map((type) => responseTypes(type, count));
  return {
    ...rootResolvers(generated, { resolveField, actionOf, guardOf }),
    ...values,
    ...Object.assign({}, ...responses),
  };
}

/** The resolvers of what entries and components have: fields, zones and morphs. */
export function valueResolvers(
  { contentTypes, components, shadow }: GeneratedSchema,
  reading: Reading,
): GraphqlResolvers {
  const all = [...contentTypes.values(), ...components.values()];
  const byUid = new Map(all.map((model) => [model.uid, typeName(model)]));
  const values = all.map((model): Named => {
    const relations = [...reading.shape.fieldsOf(model).values()];
    const resolvers = shownAttributes(model, shadow).flatMap((attribute) => {
      const resolver = resolverOf(attribute, model, reading);
      if (resolver === undefined) return [];
      if (attribute.kind !== 'relation') return [[attribute.name, resolver] as const];
      const shownBy = relations.filter((field) => field.attribute === attribute);
      return shownBy.map(({ name, shown }) => [name, showing(resolver, shown)] as const);
    });
    return [typeName(model), Object.fromEntries(resolvers)];
  });
  const zones = all.flatMap((model) =>
    shownAttributes(model, shadow)
      .filter(({ kind }) => kind === 'zone')
      .map((zone): Named => [zoneName(model, zone), { __resolveType: ({ __component }) => byUid.get(__component) }]),
  );
  return {
    ...(all.length > 0 && { [GENERIC_MORPH]: { __resolveType: ({ __type }) => byUid.get(__type) } }),
    ...Object.fromEntries([...values, ...zones]),
  };
}

/** What code of the project sees of a response besides its entries. */
const infoOf = (type: ContentType, args: Arguments, page: ReadLimits | undefined): ResponseInfo => ({
  args: strapiArguments(args, { filters: (filters) => filterInput(filters, type.attributes), page }),
  resourceUID: type.uid,
});

type Source = Readonly<Record<string, unknown>>;
type ResolvedField = Parameters<GraphqlResolver> extends [unknown, ...infer Resolved] ? Resolved : never;

/** How the fields of entries get what was read for them. */
interface Reading {
  readonly limits: ReadLimits;
  readonly shape: SchemaShape;
  readonly presenter: Pick<EntryPresenter, 'one' | 'many'>;
  /** Reads the fields of what code of the project returned; undefined: there is no such code. */
  readonly ofCode?: { readonly readLater: DeferredRead; readonly readRelated: RelatedRead };
}

/** The resolver of a field of fetched entries and components; undefined if the default resolver suffices. */
function resolverOf(
  attribute: Attribute,
  model: ContentType | Component,
  { limits, shape, presenter, ofCode: reads }: Reading,
): GraphqlResolver | undefined {
  // As in Strapi v4, what code returns is read again: what it brings may have drafts. Entries that are not stored keep
  // it.
  const ofCode = (source: Source, ...resolved: ResolvedField): unknown => {
    if (reads === undefined) return undefined;
    const { readLater, readRelated } = reads;
    if (isEntry(model, source)) return readLater(attribute, model, source, ...resolved);
    const brought = source[attribute.name];
    if (brought === undefined) return missing(attribute, model, source);
    if (attribute.kind !== 'relation' || brought === null) return brought;
    if (model.kind === 'component') return readRelated(attribute, model, brought, source, ...resolved);
    return Array.isArray(brought) ? presenter.many(brought) : presenter.one(brought);
  };
  const orLater =
    (none: unknown, target?: ContentType | Component): GraphqlResolver =>
    (source, args, context, info) => {
      const planned: unknown = source[keyOf(info.fieldNodes)];
      if (planned !== undefined) return planned;
      if (isEntry(model, source) && isWithheld(attribute, model, context.caller)) return null;
      if (target !== undefined) parseListing(args, target, context.caller, limits, shape);
      return Promise.resolve(ofCode(source, args, context, info)).then((value) => value ?? none);
    };
  switch (attribute.kind) {
    case 'relation': {
      const { target, many } = attribute;
      const resolve = orLater(many ? presenter.many([]) : presenter.one(null), target);
      const { entity } = namesOf(target);
      const isGuarded = !isOpen(model, limits);
      return (source, args, context, info) => {
        if (isGuarded && !canReadRelation(attribute, context.caller))
          throw new AppError('forbidden', 'Forbidden access');
        const response = resolve(source, args, context, info) as object | Promise<object | null> | null;
        if (!isSeen(info.schema.getType(entity))) return response;
        return Promise.resolve(response).then((seen) => seen && asSeen(seen, false, infoOf(target, args, limits)));
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

/** @throws AppError for what only the database knows of a component that code returned alone */
function missing({ name }: Attribute, model: ContentType | Component, { id }: Source): undefined {
  if (model.kind !== 'component' || id === undefined) return undefined;
  throw new AppError('badRequest', `${name} of the component ${model.uid} is unknown: its resolver has to populate it`);
}

/** Whether a rule withholds the attribute from the caller where its value was not read. */
const isWithheld = (attribute: Attribute, model: ContentType, caller: Caller): boolean =>
  (['find', 'findOne'] as const).some((action) => withheldFrom(model, caller, action)?.has(attribute));
