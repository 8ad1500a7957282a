import type { ContentType } from '../../content-types/model/types.js';
import type { Targets } from '../../mongo/read/missing-targets.js';
import { both, idIn } from '../../query/ast.js';
import type { Caller } from '../caller.js';
import type { Data } from '../../config/record.js';
import type { DocumentsContext } from '../context.js';
import { findIds } from '../read.js';
import type { LinkChange, MorphLink } from '../../query/mutation.js';
import {
  addTargets,
  forEachAttribute,
  morphTargets,
  withInner,
  type AttributeInput,
  type EntryInput,
} from './entry-input.js';
import { castData, parseEntry } from './parse-entry.js';

/**
 * The entries that the data of a caller names, and that do not exist for the caller: those to connect, and those to
 * place others beside. Empty for callers who may read all of them. One read per content type that has hidden entries.
 */
export async function findHiddenTargets(
  context: DocumentsContext,
  { attributes }: ContentType,
  data: Data,
  caller: Caller,
): Promise<Targets> {
  const visible = context.visibleTo(caller);
  if (visible === undefined) return new Map();
  const { entry } = parseEntry(castData(data, attributes), attributes, true);
  const hidden = new Map<ContentType, ReadonlySet<number>>();
  for (const [type, ids] of namedTargets(entry)) {
    const condition = visible(type);
    const existing = [...ids].filter((id) => Number.isSafeInteger(id));
    if (condition === undefined || existing.length === 0) continue;
    const isNamed = idIn(existing);
    const visibleIds = new Set(await findIds(context, type, both(condition, isNamed)));
    hidden.set(type, new Set(existing.filter((id) => !visibleIds.has(id))));
  }
  return hidden;
}

function namedTargets(entry: EntryInput): Targets {
  const targets = new Map([...morphTargets(entry)].map(([type, ids]) => [type, new Set(ids)]));
  forEachAttribute(entry, (input) => {
    if (input.kind !== 'relation') return;
    const { connect } = input.change;
    const anchors = connect.flatMap(({ position }) => ('id' in position ? [{ id: position.id }] : []));
    addTargets(targets, input.attribute.target, [...connect, ...anchors]);
  });
  return targets;
}

/** Entries cannot be connected to hidden entries or placed next to them: these seem not to exist. */
export function withoutHidden(entry: EntryInput, hidden: Targets): EntryInput {
  return hidden.size === 0 ? entry : new Map([...entry].map(([name, input]) => [name, without(input, hidden)]));
}

function without(input: AttributeInput, hidden: Targets): AttributeInput {
  switch (input.kind) {
    case 'scalar':
      return input;
    case 'relation':
      return { ...input, change: withoutAnchors(input.change, hidden.get(input.attribute.target)) };
    case 'morph': {
      const isHidden = ({ __type, id }: MorphLink): boolean =>
        [...hidden].some(([{ uid }, ids]) => uid === __type && ids.has(id));
      return { ...input, links: input.links.filter((link) => !isHidden(link)) };
    }
    case 'components':
      return withInner(input, ({ values }) => withoutHidden(values, hidden));
    default:
      return input satisfies never;
  }
}

/** A hidden anchor counts as one that is not linked. */
const withoutAnchors = (change: LinkChange, hidden: ReadonlySet<number> = new Set()): LinkChange => ({
  ...change,
  connect: change.connect.map((link) => {
    const { position } = link;
    const isHidden = 'id' in position && hidden.has(position.id) && position.otherwise === 'end';
    return isHidden ? { ...link, position: { at: 'end' } } : link;
  }),
});

/** The first link with a position next to a hidden entry. */
export function findHiddenAnchor(entry: EntryInput, hidden: Targets): LinkChange['connect'][number] | undefined {
  let hiddenAnchor: LinkChange['connect'][number] | undefined;
  forEachAttribute(entry, (input) => {
    if (input.kind !== 'relation') return;
    const ids = hidden.get(input.attribute.target);
    hiddenAnchor ??= input.change.connect.find(({ position }) => 'id' in position && ids?.has(position.id) === true);
  });
  return hiddenAnchor;
}
