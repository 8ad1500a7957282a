import { isRecord } from '../config/record.js';

/**
 * The type of the target of a morph relation to one. As recorded, responses do not show it; code that cleans an entry
 * for a client needs it.
 */
const MORPH_TYPE = Symbol('type of the target of a morph relation');

/** The uid of the target of a morph relation, by what the read left of it; undefined if nothing says it. */
export function morphTypeOf(target: unknown): string | undefined {
  if (!isRecord(target)) return undefined;
  const { __type = (target as { readonly [MORPH_TYPE]?: string })[MORPH_TYPE] } = target;
  return typeof __type === 'string' ? __type : undefined;
}

/** A target with its type out of sight; other values are unchanged. */
export function hideMorphType(target: unknown): unknown {
  if (!isRecord(target) || target['__type'] === undefined) return target;
  const { __type: type, ...shown } = target;
  return Object.assign(shown, { [MORPH_TYPE]: type });
}

/** A copy of a part of a target, with its type as it is there. */
export function keepMorphType<T extends object>(target: unknown, copy: T): T {
  const { [MORPH_TYPE]: type } = target as { readonly [MORPH_TYPE]?: string };
  return type === undefined ? copy : Object.assign(copy, { [MORPH_TYPE]: type });
}
