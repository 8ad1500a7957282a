import lodash from 'lodash';
import type { Data } from '../../../../config/record.js';
import type { Attribute, ContentType } from '../../../../content-types/model/types.js';
import { componentsIn, holdsComponents, mapComponents } from '../../../../content-types/model/walk.js';
import { isCopied } from '../../../../mongo/stored/working-copy.js';
import type { MorphLink } from '../../../../query/mutation.js';

/** Whether an entry exists as a draft alone. */
type IsDraft = (type: string, id: number) => boolean;

interface Joined {
  /**
   * Values of the draft that the entry has, because readers see no difference, with the components of the published
   * version.
   */
  readonly ofDraft: Data;
  /** The attributes that its working copy changes; none: it has no copy. */
  readonly changes: readonly string[];
}

/**
 * Compares the two versions of an entry, as they are filled with their links. A published version leaves out links to
 * entries that are drafts, and gets ids of its own for its components: neither is a difference. The entry then has the
 * links of its draft: reads hide those that lead to drafts, and show them once these are published.
 */
export function joinVersions({ attributes }: ContentType, published: Data, draft: Data, isDraft: IsDraft): Joined {
  const changes: string[] = [];
  const ofDraft: Record<string, unknown> = {};
  for (const attribute of attributes.values()) {
    const { name } = attribute;
    if (!isCopied(name)) continue;
    const isSame = (see: (value: unknown) => unknown): boolean =>
      lodash.isEqual(see(published[name] ?? null), see(draft[name] ?? null));
    if (isRehashed(attribute, published, draft)) continue;
    if (!isSame((value) => shown(value, attribute, isDraft))) changes.push(name);
    else if (!isSame((value) => shown(value, attribute, () => false)))
      ofDraft[name] = withComponentIds(draft[name], published[name], attribute);
  }
  return { ofDraft, changes };
}

/** A publication hashes a password once more: it is another one only where the draft was written later. */
const isRehashed = (attribute: Attribute, published: Data, draft: Data): boolean =>
  attribute.kind === 'scalar' &&
  attribute.type === 'password' &&
  String(draft['updatedAt']) <= String(published['updatedAt']);

/** What readers see of a filled value, without ids of components. */
function shown(value: unknown, attribute: Attribute, isDraft: IsDraft): unknown {
  switch (attribute.kind) {
    case 'relation':
      return (value as readonly number[] | null)?.filter((id) => !isDraft(attribute.target.uid, id));
    case 'morph':
      return (value as readonly MorphLink[] | null)?.filter(({ __type, id }) => !isDraft(__type, id));
    case 'component':
    case 'zone':
      return componentsIn(value, attribute).map(({ data, component }) => [
        component?.uid,
        ...[...(component?.attributes.values() ?? [])].map((inner) => shown(data[inner.name] ?? null, inner, isDraft)),
      ]);
    case 'morphed':
    case 'scalar':
      return value;
    default:
      return attribute satisfies never;
  }
}

/** A value with the ids of the components of one that readers see as the same. */
function withComponentIds(value: unknown, other: unknown, attribute: Attribute): unknown {
  if (!holdsComponents(attribute)) return value;
  const others = componentsIn(other, attribute);
  return mapComponents(value, attribute, (data, component, index = 0) => {
    const from = others[index]?.data ?? {};
    const inner = lodash.mapValues(data, (part, name) => {
      const within = component.attributes.get(name);
      return within === undefined ? part : withComponentIds(part, from[name], within);
    });
    return { ...inner, id: from['id'] };
  });
}
