import type { Attribute, Component, ContentType } from '../../content-types/model/types.js';
import { canReadRelation } from '../../documents/rights.js';
import { AppError } from '../../errors/app-error.js';
import type { GraphqlResolver } from '../../plugins/contract/graphql/parts.js';
import { keyOf, type FieldGroup } from './fields.js';
import { parseListing } from './listing.js';
import type { ReadLimits } from './selection-for-resolver.js';
import type { DeferredRead } from './deferred-field.js';
import { isOpen } from './selection.js';
import { toResponse } from './to-entity.js';

type FieldResolvers = Readonly<Record<string, GraphqlResolver>>;
type Source = Readonly<Record<string, unknown>>;
type Attributes = ReadonlyMap<string, Attribute>;

/** How the fields of the type of a content type or component are read out of what was fetched. */
export function valueResolvers(
  model: ContentType | Component,
  attributes: readonly Attribute[],
  limits: ReadLimits,
  readLater: DeferredRead,
): FieldResolvers {
  const resolvers = attributes.flatMap((attribute) => {
    const resolver = resolverOf(attribute, model, limits, readLater);
    return resolver === undefined ? [] : [[attribute.name, resolver] as const];
  });
  return Object.fromEntries(resolvers);
}

/** Undefined where the value is simply there. */
function resolverOf(
  attribute: Attribute,
  model: ContentType | Component,
  limits: ReadLimits,
  readLater: DeferredRead,
): GraphqlResolver | undefined {
  const orLater =
    (
      found: (source: Source, fieldGroup: FieldGroup) => unknown,
      none: unknown,
      targets?: Attributes,
    ): GraphqlResolver =>
    (source, args, context, info) => {
      const value = found(source, info.fieldNodes);
      if (value !== undefined) return value;
      if (targets !== undefined) parseListing(args, targets, context.caller, limits);
      const deferred = readLater(attribute, model, { source, args, context, info });
      return deferred === undefined ? none : Promise.resolve(deferred).then((read) => read ?? none);
    };
  switch (attribute.kind) {
    case 'relation': {
      const { attributes } = attribute.target;
      const resolve = orLater(
        (source, fieldGroup) => responseIn(source, attribute, fieldGroup),
        { data: null },
        attributes,
      );
      if (isOpen(model, limits)) return resolve;
      return (source, args, context, info) => {
        if (!canReadRelation(attribute, context.caller)) throw new AppError('forbidden', 'Forbidden access');
        return resolve(source, args, context, info);
      };
    }
    case 'component':
      return orLater(
        (source, fieldGroup) => valueIn(source, attribute, fieldGroup),
        null,
        attribute.component.attributes,
      );
    case 'zone':
      return orLater((source, fieldGroup) => valueIn(source, attribute, fieldGroup), null);
    case 'morph':
      return orLater((source, fieldGroup) => valueIn(source, attribute, fieldGroup), attribute.many ? [] : null);
    case 'scalar':
    case 'morphed':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

/** The value that was read for the document; a resolver of the project returns plain entries, with values under their names. */
const valueIn = (source: Source, { name }: Attribute, fieldGroup: FieldGroup): unknown => {
  const planned = source[keyOf(fieldGroup)];
  return planned === undefined ? source[name] : planned;
};

const responseIn = (source: Source, { name }: Attribute, fieldGroup: FieldGroup): unknown => {
  const planned = source[keyOf(fieldGroup)];
  return planned === undefined && source[name] !== undefined ? toResponse(source[name]) : planned;
};
