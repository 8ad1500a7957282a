import type { Document } from 'mongodb';
import type { SortKey } from '../../query/ast.js';

/**
 * Compiles a sort. Relations on the way are looked up one field deep before the sort; entries that are equal come in
 * order of id. `stages` ends with the `$sort`; `temporary` names the fields that the stages added.
 */
export function compileSort(keys: readonly SortKey[]): { stages: readonly Document[]; temporary: readonly string[] } {
  const sort = new Map<string, 1 | -1>();
  const lookups: Document[] = [];
  for (const key of keys) {
    const path = sortPath(key, lookups);
    if (!sort.has(path)) sort.set(path, key.direction === 'ascending' ? 1 : -1);
  }
  if (!sort.has('_id')) sort.set('_id', 1);
  const temporary = lookups.map((_, index) => `_s${index}`);
  return { stages: [...lookups, { $sort: Object.fromEntries(sort) }], temporary };
}

function sortPath({ through, field }: SortKey, lookups: Document[]): string {
  let prefix = '';
  let inComponent = false;
  for (const step of through) {
    if (step.kind === 'component') {
      prefix += `${step.name}.`;
      inComponent = true;
      continue;
    }
    const as = `_s${lookups.length}`;
    const [localField, foreignField] =
      step.side === 'owner' ? [prefix + step.name, '_id'] : [`${prefix}_id`, step.inverse];
    lookups.push({ $lookup: { from: step.target.collectionName, localField, foreignField, as } });
    prefix = `${as}.`;
    inComponent = false;
  }
  const name = field.kind === 'id' && !inComponent ? '_id' : field.name;
  return prefix + name;
}
