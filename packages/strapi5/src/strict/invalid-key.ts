import { AppError, type Audience } from 'content-service/plugin';

/**
 * Where a name is: the parameter, and the path of the attributes that lead to it, with its own if it is an attribute.
 */
export interface Place {
  readonly param: string;
  readonly path: string | null;
  /** Who names it. Default: clients. */
  readonly audience?: Audience | undefined;
}

/** The path of an attribute below another; null above the first. */
export const below = (path: string | null, name: string): string => (path === null ? name : `${path}.${name}`);

/** The message for a name that a request cannot use there. */
export const keyMessage = (key: string, path: string | null): string =>
  `Invalid key ${key}${path === null || path === key ? '' : ` at ${path}`}`;

/** A name that the data of a write cannot have there; without a path the API says none (recorded: 20-writes). */
export const invalidDataKey = (key: string, path?: string | null): AppError =>
  new AppError('invalidInput', keyMessage(key, path ?? null), {
    key,
    ...(path !== undefined && { path }),
    source: 'body',
  });

/** A name that a query cannot use there (recorded: 13-fields-sort-pagination, 14-filters). */
export const invalidKey = (key: string, { param, path }: Omit<Place, 'audience'>): AppError =>
  new AppError('invalidInput', keyMessage(key, path), { key, path, source: 'query', param });
