import { holdsComponents, mapComponents, type EmbeddingAttribute } from '../../content-types/model/walk.js';
import type { Attribute } from '../../content-types/model/types.js';
import { isStoredAlike } from './working-copy.js';

/** A stored value with other ids of its components, at all levels. */
export const withComponentIds = (
  value: unknown,
  attribute: EmbeddingAttribute,
  idOf: (component: string) => number,
): unknown =>
  mapComponents(value, attribute, (data, { uid, attributes }) => {
    const values = Object.entries(data).map(([name, part]) => {
      const inner = attributes.get(name);
      return [name, holdsComponents(inner) ? withComponentIds(part, inner, idOf) : part] as const;
    });
    return { ...Object.fromEntries<unknown>(values), id: idOf(uid) };
  });

/** Whether localizations have the same of what they share: each has components of its own, with ids of their own. */
export function isSharedAlike(attribute: Attribute | undefined, value: unknown, other: unknown): boolean {
  if (!holdsComponents(attribute)) return isStoredAlike(value, other);
  const withoutIds = (one: unknown): unknown => withComponentIds(one, attribute, () => 0);
  return isStoredAlike(withoutIds(value), withoutIds(other));
}
