import qs from 'qs';
import { AppError } from '../errors/app-error.js';
import type { QueryInput } from '../query/input.js';

/**
 * Brackets that nest: the filters' own limit is lower (see query/limits), populate's cost is limited instead of its
 * depth. Lists have at most 100 elements, as in Strapi v4; there a longer one loses its filter, here it is refused.
 */
const limits = {
  depth: 400,
  arrayLimit: 100,
  parameterLimit: 1000,
  throwOnLimitExceeded: true,
  strictNullHandling: true,
} as const;

/**
 * Parses a query string, brackets nested.
 * @throws AppError badRequest when it goes beyond a limit
 */
export function parseQueryString(text: string): QueryInput {
  if (text === '') return {};
  try {
    return qs.parse(text, limits);
  } catch (error) {
    if (error instanceof RangeError) throw new AppError('badRequest', `Invalid query string: ${error.message}`);
    throw error;
  }
}
