import type { Document } from 'mongodb';
import type { PopulateNode, Selection } from '../../query/ast.js';
import { compileExpression } from './filter-expression.js';

type ComponentNode = Extract<PopulateNode, { kind: 'component' }>;

/** A stage that leaves of an entry's components those that are asked for; none where all are. */
export function filterComponents(selection: Selection): readonly Document[] {
  const set = keptIn(selection, '$');
  return set === undefined ? [] : [{ $set: set }];
}

/** The filtered values of the components in what `prefix` leads to, by name. */
function keptIn({ populate }: Selection, prefix: string): Document | undefined {
  const values = populate.flatMap((node) => {
    if (node.kind !== 'component') return [];
    const value = kept(node, prefix + node.attribute.name);
    return value === undefined ? [] : [[node.attribute.name, value] as const];
  });
  return values.length === 0 ? undefined : Object.fromEntries(values);
}

function kept({ attribute, selection }: ComponentNode, path: string): unknown {
  const inner = keptIn(selection, attribute.repeatable ? '$$component.' : `${path}.`);
  const { filter } = selection;
  if (!attribute.repeatable) {
    const value = inner === undefined ? path : { $mergeObjects: [path, inner] };
    if (filter !== undefined) return { $cond: [compileExpression(filter, path), value, '$$REMOVE'] };
    return inner === undefined ? undefined : { $cond: [{ $eq: [{ $type: path }, 'missing'] }, '$$REMOVE', value] };
  }
  const list = { $ifNull: [path, []] };
  const some =
    filter === undefined
      ? list
      : { $filter: { input: list, as: 'component', cond: compileExpression(filter, '$$component') } };
  if (inner === undefined) return filter === undefined ? undefined : some;
  return { $map: { input: some, as: 'component', in: { $mergeObjects: ['$$component', inner] } } };
}
