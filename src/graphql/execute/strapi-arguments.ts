import lodash from 'lodash';
import { isAbsent } from '../../config/record.js';
import { parsePage, type Arguments, type ListLimits } from './listing.js';

interface Conversion {
  /** Converts filters of GraphQL to those of `entityService`. */
  readonly filters: (filters: unknown) => unknown;
  /** Where the arguments name a page, its start and limit. */
  readonly page?: ListLimits | undefined;
}

/** The arguments of a field as parameters of the entity service, as in Strapi v4. @throws AppError */
export const strapiArguments = ({ pagination, filters, ...others }: Arguments, by: Conversion): Arguments => ({
  ...others,
  ...(by.page && lodash.pick(parsePage(pagination, by.page), ['start', 'limit'])),
  ...(!isAbsent(filters) && { filters: by.filters(filters) }),
});
