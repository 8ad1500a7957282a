import lodash from 'lodash';
import { strictProxy } from '../../plugins/contract/strict-proxy.js';
import { filterOperators } from './filter-operators.js';
import { parsePage, publicationStateOf, type Arguments, type ListLimits } from '../execute/listing.js';
import { isAbsent } from '../../config/record.js';

/** Converts GraphQL filters to those of `entityService`: `and` becomes `$and`, `eq` becomes `$eq`. */
export type ConvertFilters = (filters: unknown, model: { readonly uid: string }) => unknown;

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
      ...(usePagination && lodash.pick(parsePage(pagination, limits), ['start', 'limit'])),
      ...(!isAbsent(filters) && { filters: convert(filters, contentType) }),
    }),
  }),
});
