import type { Document } from 'mongodb';
import type { ComponentNode, PopulateNode, Selection } from '../../../query/ast.js';
import { compileInComponent } from './filter.js';
import { outputField } from '../read/projection.js';
import type { IdQuery } from './semi-join.js';

/** A stage that keeps the requested components of an entry; none if all are requested. @throws AppError tooCostly */
export function filterComponents(selection: Selection, before: IdQuery[]): readonly Document[] {
  const set = keptIn(selection, '$', before);
  return set.length === 0 ? [] : [{ $set: Object.fromEntries(set) }];
}

/** The filtered components below `prefix`, by output field, including copies. */
function keptIn(selection: Selection, prefix: string, before: IdQuery[]): readonly (readonly [string, unknown])[] {
  return selection.populate.flatMap((node) => {
    if (node.kind !== 'component' && node.kind !== 'zone') return [];
    const { name } = node.attribute;
    const [path, field] = [prefix + name, outputField(node, selection)];
    const copy = field === name ? undefined : path;
    const value = (node.kind === 'zone' ? keptInZone(node, path, before) : withComponent(node, path, before)) ?? copy;
    return value === undefined ? [] : [[field, value] as const];
  });
}

/** The value with the components that match its filters; undefined if it is unchanged. */
function withComponent({ attribute, selection }: ComponentNode, path: string, before: IdQuery[]): unknown {
  const { filter } = selection;
  if (!attribute.repeatable) {
    const value = narrowed(selection, path, before);
    const condition = filter === undefined ? [] : [compileInComponent(filter, path, before)];
    const exists = value === path ? [] : [{ $ne: [{ $type: path }, 'missing'] }];
    const [first, ...conditions] = [...exists, ...condition];
    return first === undefined
      ? undefined
      : { $cond: [conditions.length > 0 ? { $and: [first, ...conditions] } : first, value, '$$REMOVE'] };
  }
  const matching = filter && {
    $filter: { input: listAt(path), as: 'component', cond: compileInComponent(filter, '$$component', before) },
  };
  const value = narrowed(selection, '$$component', before);
  return value === '$$component' ? matching : { $map: { input: matching ?? listAt(path), as: 'component', in: value } };
}

/** The components of a zone that match the filter of their type; undefined if it is unchanged. */
function keptInZone({ on }: Extract<PopulateNode, { kind: 'zone' }>, path: string, before: IdQuery[]): unknown {
  const isOf = (uid: string): Document => ({ $eq: ['$$component.__component', uid] });
  const conditions = [...on].flatMap(([uid, { filter }]) =>
    filter === undefined ? [] : [{ case: isOf(uid), then: compileInComponent(filter, '$$component', before) }],
  );
  const cond = { $switch: { branches: conditions, default: true } };
  const matching = conditions.length > 0 ? { $filter: { input: listAt(path), as: 'component', cond } } : undefined;
  const branches = [...on].flatMap(([uid, selection]) => {
    const then = narrowed(selection, '$$component', before);
    return then === '$$component' ? [] : [{ case: isOf(uid), then }];
  });
  if (branches.length === 0) return matching;
  const value = { $switch: { branches, default: '$$component' } };
  return { $map: { input: matching ?? listAt(path), as: 'component', in: value } };
}

/** The component at `path` with its filtered nested components; `path` itself if nothing is filtered. */
const narrowed = (selection: Selection, path: string, before: IdQuery[]): unknown =>
  keptIn(selection, `${path}.`, before).reduce<unknown>(
    (input, [field, value]) => ({ $setField: { field, input, value } }),
    path,
  );

const listAt = (path: string): Document => ({ $ifNull: [path, []] });
