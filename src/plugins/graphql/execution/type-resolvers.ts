import type { Attribute, Component, ContentType } from '../../../content-types/types.js';
import { mayFollow } from '../../../documents/rights.js';
import { AppError } from '../../../errors/app-error.js';
import type { GraphqlResolver } from '../../graphql-parts.js';
import { keyOf, type Mention } from './fields.js';
import { parseListing, type ListLimits } from './listing.js';
import { isOpen } from './selection.js';
import { toResponse } from './to-entity.js';

type FieldResolvers = Readonly<Record<string, GraphqlResolver>>;

/** How the fields of the type of a content type or component are read out of what was fetched. */
export function valueResolvers(
  of: ContentType | Component,
  attributes: readonly Attribute[],
  limits: ListLimits,
): FieldResolvers {
  const resolvers = attributes.flatMap((attribute) => {
    const resolver = resolverOf(attribute, of, limits);
    return resolver === undefined ? [] : [[attribute.name, resolver] as const];
  });
  return Object.fromEntries(resolvers);
}

/** Undefined where the value is simply there. */
function resolverOf(
  attribute: Attribute,
  of: ContentType | Component,
  limits: ListLimits,
): GraphqlResolver | undefined {
  switch (attribute.kind) {
    case 'relation':
      return (source, args, { caller }, { fieldNodes }) => {
        if (!isOpen(of) && !mayFollow(attribute, caller)) throw new AppError('forbidden', 'Forbidden access');
        const found: unknown = source[keyOf(fieldNodes)];
        if (found !== undefined) return found;
        if (source[attribute.name] !== undefined) return toResponse(source[attribute.name]);
        parseListing(args, attribute.target.attributes, caller, limits);
        return { data: null };
      };
    case 'component':
      return (source, args, { caller }, { fieldNodes }) => {
        const found = valueIn(source, attribute, fieldNodes);
        if (found !== undefined) return found;
        parseListing(args, attribute.component.attributes, caller, limits);
        return null;
      };
    case 'zone':
      return (source, _args, _context, { fieldNodes }) => valueIn(source, attribute, fieldNodes);
    case 'morph':
      return (source, _args, _context, { fieldNodes }) =>
        valueIn(source, attribute, fieldNodes) ?? (attribute.many ? [] : null);
    case 'scalar':
    case 'morphed':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

/** Of what was read for the document; an owner's resolver gives plain entries, with values under their names. */
const valueIn = (source: Readonly<Record<string, unknown>>, { name }: Attribute, mention: Mention): unknown => {
  const planned = source[keyOf(mention)];
  return planned === undefined ? source[name] : planned;
};
