import { RequestError } from '@content-service/client';
import type { Texts } from './texts.js';

/** Something that the editor refuses by itself; its message is for the user, in their language. */
export class ExplainedError extends Error {}

/**
 * What an error says to the user. The words of an unexpected one are for developers: the console of the browser has
 * them.
 */
export function messageOf({ refusals }: Texts, error: unknown): string {
  if (error instanceof RequestError || error instanceof ExplainedError) return error.message;
  console.error(error);
  return refusals.unexpected;
}
