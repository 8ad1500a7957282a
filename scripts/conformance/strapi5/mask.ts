import { isRecord } from '../../../src/config/record.js';
import { normalise } from '../normalise.js';

/**
 * An answer with marks in place of what differs from run to run.
 * @param numbers whether numbers of entries and components count: Strapi 5 gives each draft, and each published
 * version, its own
 */
export const maskAnswer = (body: unknown, numbers: boolean): unknown => mask(normalise(body), numbers);

function mask(value: unknown, numbers: boolean): unknown {
  if (Array.isArray(value)) return value.map((part: unknown) => mask(part, numbers));
  if (typeof value === 'string') return value.includes('/uploads/') ? '<upload-url>' : value;
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === 'id' && !numbers ? '<id>' : mask(part, numbers)]),
  );
}
