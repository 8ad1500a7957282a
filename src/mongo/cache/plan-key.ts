import { createHash } from 'node:crypto';
import type { ScalarAttribute } from '../../content-types/model/types.js';

/** A key for parts of plans, of the same length for all: equal if the parts are, and otherwise different. */
export const planKey = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts, plain)).digest('base64');

/** Values of different types stay different; an attribute is represented by its names. */
function plain(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  const own = this[key];
  if (typeof own === 'bigint') return { bigint: String(own) };
  if (own instanceof Date) return { date: own.getTime() };
  if (own instanceof Map) return [...(own as ReadonlyMap<string, unknown>)];
  return isAttribute(value) ? { attribute: value.name, as: value.alias?.name } : value;
}

const isAttribute = (value: unknown): value is ScalarAttribute =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'scalar';
