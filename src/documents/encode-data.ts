import type { Attribute, Component, ContentType } from '../content-types/types.js';
import type { MorphLink } from '../query/write.js';
import { componentsIn } from './components-in.js';
import type { Data, DocumentsContext } from './context.js';
import { countComponents } from './count-components.js';
import { encode, type Encoded } from './encode.js';
import { hashPasswords } from './passwords.js';
import { parseMorphLinks } from './relation-input.js';

/**
 * Encodes valid data as it is stored: passwords hashed, components numbered. Links of morph relations that lead to
 * nothing are left out, as Strapi v4 lets them pass.
 * @throws AppError invalidValue, validation
 */
export async function encodeData(
  context: DocumentsContext,
  type: ContentType,
  data: Data,
  isNew: boolean,
): Promise<Encoded> {
  const { store } = context;
  const hashed = await hashPasswords(data, type.attributes, context.passwords);
  const next = new Map(await store.componentIds.reserve(countComponents(hashed, type.attributes, isNew)));
  const newComponentId = ({ uid }: Component): number => {
    const id = next.get(uid) ?? 0;
    next.set(uid, id + 1);
    return id;
  };
  const morphTarget = await findMorphTargets(context, type, hashed);
  return encode(hashed, type, { isNew, defaults: true, newComponentId, morphTarget });
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
    if (attribute?.kind === 'morph') return parseMorphLinks(value);
    return componentsIn(value, attribute).flatMap(({ data: inner, component }) =>
      component === undefined ? [] : morphLinksIn(inner, component.attributes),
    );
  });
}
