import { hasCode } from '../../../errors/app-error.js';

/**
 * What code of a project says about the credentials of a caller; undefined if it throws, because Strapi v4 then asks
 * others.
 * @throws AppError unavailable, outOfTime
 */
export async function askCode<T>(code: (input: T) => unknown, input: T): Promise<unknown> {
  try {
    return await code(input);
  } catch (error) {
    if (hasCode(error, 'unavailable', 'outOfTime')) throw error;
    return undefined;
  }
}
