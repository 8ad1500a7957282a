import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import { reasonOf } from '../../errors/reason-of.js';
import { parseDatabaseQuery } from '../query-engine/parse-database-query.js';
import type { Named } from '../strapi.js';
import { errors } from '../utilities/errors.js';
import { convertParams } from './convert-params.js';

/**
 * Waits for work with a client's query. In Strapi v4 a query that the query engine refuses is an internal error.
 * @throws ValidationError that names the rule, if the work fails and the query breaks one; otherwise the error of the
 * work
 */
export async function explainQuery<T>(work: Promise<T>, query: Named, type: ContentType | undefined): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError || error instanceof errors.ApplicationError || type === undefined) throw error;
    try {
      parseDatabaseQuery(type, convertParams(query, type));
    } catch (cause) {
      throw new errors.ValidationError(reasonOf(cause));
    }
    throw error;
  }
}
