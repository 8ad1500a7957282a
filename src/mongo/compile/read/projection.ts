import type { Document } from 'mongodb';
import type { PopulateNode, Selection, ComponentNode } from '../../../query/ast.js';
import { linkPaths } from '../../stored/relation.js';
import { sortInZone, sortWithin } from './sort.js';
import type { Attribute, Attributes } from '../../../content-types/model/types.js';
import { compileInComponent } from '../filter/filter.js';
import type { IdQuery } from '../filter/semi-join.js';

/** The stored paths that a selection needs, as an inclusion projection; `_id` is implicit. */
export function compileProjection(selection: Selection, ...extraFields: readonly string[]): Document {
  const paths = new Set([...extraFields, ...pathsOf(selection, '')]);
  return paths.size === 0 ? { _id: 1 } : Object.fromEntries([...paths].map((path) => [path, 1]));
}

const pathsOf = (selection: Selection, prefix: string): readonly string[] => [
  ...selection.fields.map((field) => prefix + field.name),
  ...selection.populate.flatMap((node) => pathsOfNode(node, prefix + outputField(node, selection))),
  ...pathsOfLocalizations(selection),
];

function pathsOfLocalizations({ availableLocales }: Selection): readonly string[] {
  if (availableLocales === undefined) return [];
  return availableLocales === true ? linkPaths('localizations') : ['localizations'];
}

function pathsOfNode(node: PopulateNode, path: string): readonly string[] {
  switch (node.kind) {
    case 'relation':
      return node.attribute.kind === 'relation' && node.attribute.side === 'owner' ? [path] : [];
    case 'morph':
      return [path];
    case 'component':
      if (coversWholeNode(node)) return [path];
      return [
        `${path}.id`,
        ...pathsOf(node.selection, `${path}.`),
        ...sortWithin(node).map((key) => [path, ...key.path].join('.')),
      ];
    case 'zone': {
      if (coversWholeNode(node)) return [path];
      const projections = [...node.on.values()].flatMap((selection) => [
        ...pathsOf(selection, `${path}.`),
        ...sortInZone(selection).map((key) => [path, ...key.path].join('.')),
      ]);
      return [`${path}.__component`, `${path}.id`, ...projections];
    }
    default:
      return node satisfies never;
  }
}

/**
 * The output field of a populated attribute. A component or zone that is requested again
 * under another key is a copy, because each can have its own filter. Attribute names do not start with `_`.
 */
export function outputField(node: PopulateNode, { populate }: Selection): string {
  const { name } = node.attribute;
  if (node.kind !== 'component' && node.kind !== 'zone') return name;
  const before = populate.slice(0, populate.indexOf(node)).filter(({ attribute }) => attribute === node.attribute);
  return before.length === 0 ? name : `_${name}${before.length}`;
}

/**
 * Whether a selection covers all stored fields of an entry or component except single ids. Then it is read completely:
 * a projection costs more. Attributes hidden from the caller are in no selection and thus never read.
 */
export function coversAllAttributes({ fields, populate }: Selection, attributes: Attributes): boolean {
  const selected = new Set<Attribute>([...fields, ...populate.map((node) => node.attribute)]);
  return [...attributes.values()].every((attribute) => {
    switch (attribute.kind) {
      case 'scalar':
      case 'morph':
        return selected.has(attribute);
      case 'relation':
        return attribute.side === 'inverse' || !attribute.many || selected.has(attribute);
      case 'morphed':
        return true;
      case 'component':
      case 'zone':
        return populate.some((node) => node.attribute === attribute && coversWholeNode(node));
      default:
        return attribute satisfies never;
    }
  });
}

/** Whether a selection covers everything that a populated attribute embeds; relations are not embedded. */
function coversWholeNode(node: PopulateNode): boolean {
  switch (node.kind) {
    case 'component':
      return coversAllAttributes(node.selection, node.attribute.component.attributes);
    case 'zone':
      return [...node.attribute.components.values()].every(({ uid, attributes }) => {
        const selection = node.on.get(uid);
        return selection !== undefined && coversAllAttributes(selection, attributes);
      });
    case 'relation':
    case 'morph':
      return false;
    default:
      return node satisfies never;
  }
}

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
