import { isLocalizations } from '../../content-types/model/localized.js';
import type { ContentType, Registry } from '../../content-types/model/types.js';
import { forEachAttribute, type EntryInput } from './entry-input.js';

/** Ids of entries, by their type. */
export type Targets = ReadonlyMap<ContentType, ReadonlySet<number>>;

/** Adds ids of entries of one type. */
export function addTargets(
  targets: Map<ContentType, Set<number>>,
  type: ContentType,
  links: readonly { readonly id: number }[],
): void {
  const ids = targets.get(type) ?? new Set();
  for (const { id } of links) ids.add(id);
  targets.set(type, ids);
}

/** The targets of relations and media, at all levels. */
export function relationTargets(entry: EntryInput): Targets {
  const targets = new Map<ContentType, Set<number>>();
  forEachAttribute(entry, (input) => {
    if (input.kind !== 'relation' && input.kind !== 'morphed') return;
    // The other localizations were read a moment ago; those that another request has deleted do not refuse a new one.
    if (isLocalizations(input.attribute, input.attribute.target)) return;
    addTargets(targets, input.attribute.target, input.change.connect);
  });
  return targets;
}

/** The targets of morph relations, at all levels, without those of unknown types. */
export function morphTargets(entry: EntryInput, { contentTypes }: Registry): Targets {
  const targets = new Map<ContentType, Set<number>>();
  forEachAttribute(entry, (input) => {
    for (const link of input.kind === 'morph' ? input.links : []) {
      const target = contentTypes.get(link.__type);
      if (target !== undefined) addTargets(targets, target, [link]);
    }
  });
  return targets;
}
