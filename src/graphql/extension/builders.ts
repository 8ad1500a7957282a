import type * as Nexus from 'nexus';
import type { Attributes, Registry } from '../../content-types/model/types.js';
import { strictProxy } from '../../plugins/contract/strict-proxy.js';
import { createFilterOperators } from './filter-operators.js';
import { filterInput, parsePage, publicationStateOf, type Arguments, type ListLimits } from '../execute/listing.js';
import { isAbsent } from '../../config/record.js';

/** A model in the form of `strapi.contentTypes` and `strapi.components`. */
interface StrapiModel {
  readonly uid: string;
}

/** Strapi v4's `service('builders')`. */
export interface BuildersService {
  readonly filters: { readonly operators: ReturnType<typeof createFilterOperators> };
  /** Converts the arguments of a field to parameters of `entityService`. */
  readonly utils: {
    readonly transformArgs: (
      args: Arguments,
      options: { readonly contentType: StrapiModel; readonly usePagination?: boolean },
    ) => Arguments;
  };
}

/** Converts GraphQL filters to those of `entityService`: `and` becomes `$and`, `eq` becomes `$eq`. */
export type ConvertFilters = (filters: unknown, model: StrapiModel) => unknown;

/** @param registry throws before the service has started */
export const createConvertFilters =
  (registry: () => Registry): ConvertFilters =>
  (filters, { uid }) =>
    filterInput(filters ?? {}, attributesOf(registry(), uid));

/** The part of Strapi v4's `builders` that resolvers of projects and plugins use. */
export const createBuilders = (
  convert: ConvertFilters,
  limits: ListLimits,
  nexus: () => typeof Nexus,
): BuildersService => ({
  filters: strictProxy('builders.filters', { operators: createFilterOperators(nexus) }),
  utils: strictProxy('builders.utils', {
    transformArgs: ({ pagination, filters, ...others }, { contentType, usePagination = false }) => ({
      ...others,
      // The values of the enum are in capitals.
      ...(!isAbsent(others['publicationState']) && { publicationState: publicationStateOf(others) }),
      ...(usePagination && pageOf(pagination, limits)),
      ...(!isAbsent(filters) && { filters: convert(filters, contentType) }),
    }),
  } satisfies BuildersService['utils']),
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
