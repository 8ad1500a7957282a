import type { ContentType } from '../../content-types/model/types.js';
import { both, idIn } from '../../query/ast.js';
import type { Caller } from '../caller.js';
import type { Data } from '../../config/record.js';
import type { DocumentsContext } from '../context.js';
import { findIds } from '../read.js';
import { forEachAttribute, type EntryInput } from './entry-input.js';
import { castData } from './parse-data.js';
import { parseEntry } from './parse-entry.js';
import { addTargets, morphTargets, type Targets } from './targets.js';

/**
 * The entries that the data of a caller names, and that do not exist for the caller: those to connect, and those to place others
 * beside. Empty for callers who may read all of them. One read per content type that has hidden entries.
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
  for (const [type, ids] of namedTargets(entry, context)) {
    const condition = visible(type);
    const existing = [...ids].filter((id) => Number.isSafeInteger(id));
    if (condition === undefined || existing.length === 0) continue;
    const isNamed = idIn(existing);
    const visibleIds = new Set(await findIds(context, type, both(condition, isNamed)));
    hidden.set(type, new Set(existing.filter((id) => !visibleIds.has(id))));
  }
  return hidden;
}

function namedTargets(entry: EntryInput, { registry }: DocumentsContext): Targets {
  const targets = new Map([...morphTargets(entry, registry)].map(([type, ids]) => [type, new Set(ids)]));
  forEachAttribute(entry, (input) => {
    if (input.kind !== 'relation' && input.kind !== 'morphed') return;
    const { connect } = input.change;
    const anchors = connect.flatMap(({ position }) => ('id' in position ? [{ id: position.id }] : []));
    addTargets(targets, input.attribute.target, [...connect, ...anchors]);
  });
  return targets;
}
