import { BSON, type Document } from 'mongodb';
import { isLocalizations } from '../../../content-types/model/localized.js';
import { isUnique } from '../../../content-types/model/unique.js';
import type { PrimaryWrite } from '../execute-write.js';
import type { Turn } from './batch-step.js';

/**
 * When a primary write is executed, see `Turn`.
 * @param early what is written before the decision, see `earlyAttributes`
 * @param before the entry of an update, as it is stored
 */
export function turnOf(
  primary: PrimaryWrite,
  isConditional: boolean,
  early: readonly string[],
  before: Document | undefined,
): Turn {
  switch (primary.kind) {
    case 'insert':
      return 'undoable';
    case 'remove':
      return isConditional ? 'last' : 'after';
    case 'update':
      if (early.length === 0 && !isConditional) return 'after';
      return before !== undefined && givesUpUnique(primary, before) ? 'last' : 'undoable';
    default:
      return primary satisfies never;
  }
}

/** Could others take a unique value that the entry has before the update? */
function givesUpUnique({ type, changes }: PrimaryWrite & { readonly kind: 'update' }, before: Document): boolean {
  const { values, links, uniqueKeys } = changes;
  const isChanged = [...values].some(([name, value]) => {
    const attribute = type.attributes.get(name);
    const stored = before[name] as unknown;
    return attribute !== undefined && isUnique(attribute) && stored !== undefined && !isSame(stored, value);
  });
  const replacesKeys = uniqueKeys.paths.length > 0 || uniqueKeys.remove.length > 0;
  return (
    isChanged ||
    (before['_unique'] !== undefined && replacesKeys) ||
    links.some(({ attribute }) => isLocalizations(attribute, type))
  );
}

const isSame = (first: unknown, second: unknown): boolean =>
  Buffer.compare(BSON.serialize({ value: first }), BSON.serialize({ value: second })) === 0;
