import type { ContentType } from '../../../content-types/model/types.js';
import type { ReservedIds } from '../../../mongo/write/component-ids.js';
import type { DocumentsContext } from '../../context.js';
import { countNewComponents, type ComponentInput, type EntryInput, mergeComponents } from '../../input/entry-input.js';
import { hashPasswords } from '../../input/hash-passwords.js';
import { morphTargets } from '../../input/targets.js';
import { encode, type Encoded } from './encode.js';
import type { StoredValue } from '../../../query/mutation.js';

/** An encoded entry, its input, and the ids of its new components. */
export interface EncodedEntry extends Encoded {
  readonly input: EntryInput;
  readonly componentIds: ReservedIds;
}

/**
 * Encodes valid data for the storage: passwords are hashed unless it is raw, and components get ids. Links of morph
 * relations to missing entries are left out, as Strapi v4 accepts them.
 * @throws AppError invalidValue, validation
 */
export async function encodeEntry(
  context: DocumentsContext,
  type: ContentType,
  entry: EntryInput,
  { isNew, raw }: { readonly isNew: boolean; readonly raw: boolean },
): Promise<EncodedEntry> {
  const { store } = context;
  const merged = isNew ? entry : mergeComponents(entry);
  const input = raw ? merged : await hashPasswords(merged, context.passwords);
  const morphTarget = await findMorphTargets(context, input);
  const counts = countNewComponents(input);
  const first = await store.componentIds.reserve(counts);
  const next = new Map(first);
  const newComponentId = ({ component: { uid } }: ComponentInput): number => {
    const id = next.get(uid) ?? 0;
    next.set(uid, id + 1);
    return id;
  };
  const componentIds = { first, counts };
  try {
    return { ...encode(input, type, { isNew, defaults: true, newComponentId, morphTarget }), input, componentIds };
  } catch (error) {
    store.componentIds.release(componentIds);
    throw error;
  }
}

async function findMorphTargets(
  { registry, store }: DocumentsContext,
  entry: EntryInput,
): Promise<(uid: string, id: number) => ContentType | undefined> {
  const missing = await store.missing(morphTargets(entry, registry));
  return (uid, id) => {
    const target = registry.contentTypes.get(uid);
    return target === undefined || missing.get(target)?.includes(id) === true ? undefined : target;
  };
}

type Values = ReadonlyMap<string, StoredValue | undefined>;

/** `_live`, which follows `publishedAt`; nothing if that is not written. */
export function liveMark(values: Values, type: ContentType): readonly (readonly [string, StoredValue | undefined])[] {
  if (!type.draftAndPublish || !values.has('publishedAt')) return [];
  return [['_live', values.get('publishedAt') === undefined ? undefined : 1]];
}
