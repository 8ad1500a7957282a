import type { ContentApi } from 'content-service/content-api';
import type { AppError } from 'content-service/plugin';
import { keyMessage } from './strict/invalid-key.js';

const outside = 'Invalid pagination attributes. The page parameters are incorrect and must be in the pagination object';

/** Errors of the core in the words of Strapi 5. */
export const describeError: NonNullable<ContentApi['describeError']> = (error: AppError) => {
  const { code, name, message, details, parameter } = error;
  if (code === 'rootPaginationParameters') return { name, message: outside, details };
  if (parameter === undefined) return { name, message, details };
  return { name, message: keyMessage(parameter, null), details: { key: parameter, path: null, source: 'query' } };
};
