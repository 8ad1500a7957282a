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
  of: ContentType | Component,
  attributes: readonly Attribute[],
  limits: ReadLimits,
  readLater: DeferredRead,
): FieldResolvers {
  const resolvers = attributes.flatMap((attribute) => {
    const resolver = resolverOf(attribute, of, limits, readLater);
    return resolver === undefined ? [] : [[attribute.name, resolver] as const];
  });
  return Object.fromEntries(resolvers);
}

/** Undefined where the value is simply there. */
function resolverOf(
  attribute: Attribute,
  of: ContentType | Component,
  limits: ReadLimits,
  readLater: DeferredRead,
): GraphqlResolver | undefined {
  const orLater =
    (found: (source: Source, mention: FieldGroup) => unknown, none: unknown, targets?: Attributes): GraphqlResolver =>
    (source, args, context, info) => {
      const value = found(source, info.fieldNodes);
      if (value !== undefined) return value;
      if (targets !== undefined) parseListing(args, targets, context.caller, limits);
      const later = readLater(attribute, of, { source, args, context, info });
      return later === undefined ? none : Promise.resolve(later).then((read) => read ?? none);
    };
  switch (attribute.kind) {
    case 'relation': {
      const { attributes } = attribute.target;
      const resolve = orLater((source, mention) => responseIn(source, attribute, mention), { data: null }, attributes);
      if (isOpen(of, limits)) return resolve;
      return (source, args, context, info) => {
        if (!canReadRelation(attribute, context.caller)) throw new AppError('forbidden', 'Forbidden access');
        return resolve(source, args, context, info);
      };
    }
    case 'component':
      return orLater((source, mention) => valueIn(source, attribute, mention), null, attribute.component.attributes);
    case 'zone':
      return orLater((source, mention) => valueIn(source, attribute, mention), null);
    case 'morph':
      return orLater((source, mention) => valueIn(source, attribute, mention), attribute.many ? [] : null);
    case 'scalar':
    case 'morphed':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

/** Of what was read for the document; an owner's resolver gives plain entries, with values under their names. */
const valueIn = (source: Source, { name }: Attribute, mention: FieldGroup): unknown => {
  const planned = source[keyOf(mention)];
  return planned === undefined ? source[name] : planned;
};

const responseIn = (source: Source, { name }: Attribute, mention: FieldGroup): unknown => {
  const planned = source[keyOf(mention)];
  return planned === undefined && source[name] !== undefined ? toResponse(source[name]) : planned;
};
