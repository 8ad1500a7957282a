import type { Attributes, Registry } from '../../content-types/model/types.js';
import { strictProxy } from '../../plugins/contract/strict-proxy.js';
import { filterOperators } from './filter-operators.js';
import { filterInput, parsePage, publicationStateOf, type Arguments, type ListLimits } from '../execute/listing.js';
import { isAbsent } from '../../config/record.js';

/** Converts GraphQL filters to those of `entityService`: `and` becomes `$and`, `eq` becomes `$eq`. */
export type ConvertFilters = (filters: unknown, model: { readonly uid: string }) => unknown;

/** @param registry throws before the service has started */
export const createConvertFilters =
  (registry: () => Registry): ConvertFilters =>
  (filters, { uid }) =>
    filterInput(filters ?? {}, attributesOf(registry(), uid));

/** The part of Strapi v4's `service('builders')` that resolvers of projects and plugins use. */
export const createBuilders = (convert: ConvertFilters, limits: ListLimits) => ({
  filters: strictProxy('builders.filters', { operators: filterOperators }),
  utils: strictProxy('builders.utils', {
    /** Converts the arguments of a field to parameters of `entityService`. */
    transformArgs: (
      { pagination, filters, ...others }: Arguments,
      {
        contentType,
        usePagination = false,
      }: { readonly contentType: { readonly uid: string }; readonly usePagination?: boolean },
    ): Arguments => ({
      ...others,
      // The values of the enum are in capitals.
      ...(!isAbsent(others['publicationState']) && { publicationState: publicationStateOf(others) }),
      ...(usePagination && pageOf(pagination, limits)),
      ...(!isAbsent(filters) && { filters: convert(filters, contentType) }),
    }),
  }),
});

function pageOf(pagination: unknown, limits: ListLimits): Arguments {
  const { start, limit } = parsePage(pagination, limits);
  return { start, limit };
}

function attributesOf({ contentTypes, components }: Registry, uid: string): Attributes {
  const type = contentTypes.get(uid) ?? components.get(uid);
  if (type === undefined) throw new Error(`Model ${uid} not found`);
  return type.attributes;
}
