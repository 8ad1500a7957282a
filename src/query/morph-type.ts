import { isRecord } from '../config/record.js';

/** The type of the target of a morph relation to one. As recorded, responses do not show it; code that cleans an entry for a client needs it. */
const MORPH_TYPE = Symbol('type of the target of a morph relation');

/** The uid of the target of a morph relation, by what the read left of it; undefined if nothing says it. */
export function morphTypeOf(target: unknown): string | undefined {
  if (!isRecord(target)) return undefined;
  const { __type = (target as { readonly [MORPH_TYPE]?: string })[MORPH_TYPE] } = target;
  return typeof __type === 'string' ? __type : undefined;
}

/** A copy of a target, or a part of it, with its type out of sight. */
export function withMorphType<T extends object>(target: unknown, copy: T): T {
  const type = morphTypeOf(target);
  return type === undefined ? copy : Object.assign(copy, { [MORPH_TYPE]: type });
}
