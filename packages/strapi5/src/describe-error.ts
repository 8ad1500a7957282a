import type { ContentApi } from 'content-service/content-api';
import type { AppError } from 'content-service/plugin';
import { keyMessage } from './strict/invalid-key.js';

const outside = 'Invalid pagination attributes. The page parameters are incorrect and must be in the pagination object';

/** Errors of the core in the words of Strapi 5. */
export const describeError: NonNullable<ContentApi['describeError']> = (error: AppError) => {
  const { code, name, message, details } = error;
  if (code === 'rootPaginationParameters') return { name, message: outside, details };
  if (code !== 'invalidParameter') return { name, message, details };
  // The message names it: `Invalid parameter x`.
  const key = message.slice(message.lastIndexOf(' ') + 1);
  return { name, message: keyMessage(key, null), details: { key, path: null, source: 'query' } };
};
