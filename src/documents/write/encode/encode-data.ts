import type { Attribute, Component, ContentType } from '../../../content-types/model/types.js';
import type { ReservedIds } from '../../../mongo/write/component-ids.js';
import type { MorphLink } from '../../../query/mutation.js';
import { componentsIn } from '../../input/components-in.js';
import type { Data, DocumentsContext } from '../../context.js';
import { countComponents } from '../../input/count-components.js';
import { encode, type Encoded } from './encode.js';
import { mergeComponents } from '../../input/merge-components.js';
import { hashPasswords } from '../passwords.js';
import { parseMorphLinks } from '../../input/relation-input.js';

/** Encoded data, what it was made of, and the ids that its new components have. */
export interface EncodedData extends Encoded {
  readonly data: Data;
  readonly componentIds: ReservedIds;
}

/**
 * Encodes valid data as it is stored: passwords hashed unless it is raw, components numbered. Links of morph relations that lead to
 * nothing are left out, as Strapi v4 lets them pass.
 * @throws AppError invalidValue, validation
 */
export async function encodeData(
  context: DocumentsContext,
  type: ContentType,
  data: Data,
  { isNew, raw }: { readonly isNew: boolean; readonly raw: boolean },
): Promise<EncodedData> {
  const { store } = context;
  const merged = isNew ? data : mergeComponents(data, type.attributes);
  const hashed = raw ? merged : await hashPasswords(merged, type.attributes, context.passwords);
  const morphTarget = await findMorphTargets(context, type, hashed);
  const counts = countComponents(hashed, type.attributes, isNew);
  const first = await store.componentIds.reserve(counts);
  const next = new Map(first);
  const newComponentId = ({ uid }: Component): number => {
    const id = next.get(uid) ?? 0;
    next.set(uid, id + 1);
    return id;
  };
  const componentIds = { first, counts };
  try {
    return {
      ...encode(hashed, type, { isNew, defaults: true, newComponentId, morphTarget }),
      data: hashed,
      componentIds,
    };
  } catch (error) {
    store.componentIds.release(componentIds);
    throw error;
  }
}

async function findMorphTargets(
  { registry, store }: DocumentsContext,
  { attributes }: ContentType,
  data: Data,
): Promise<(uid: string, id: number) => ContentType | undefined> {
  const targets = new Map<ContentType, Set<number>>();
  for (const { __type, id } of morphLinksIn(data, attributes)) {
    const target = registry.contentTypes.get(__type);
    if (target !== undefined) targets.set(target, (targets.get(target) ?? new Set()).add(id));
  }
  const missing = await store.missing(targets);
  return (uid, id) => {
    const target = registry.contentTypes.get(uid);
    return target === undefined || missing.get(target)?.includes(id) === true ? undefined : target;
  };
}

/** The links of morph relations at all levels. */
function morphLinksIn(data: Data, attributes: ReadonlyMap<string, Attribute>): readonly MorphLink[] {
  return Object.entries(data).flatMap(([name, value]) => {
    const attribute = attributes.get(name);
    if (attribute?.kind === 'morph') return parseMorphLinks(value, attribute) ?? [];
    return componentsIn(value, attribute).flatMap(({ data: inner, component }) =>
      component === undefined ? [] : morphLinksIn(inner, component.attributes),
    );
  });
}
