import type { ContentType } from '../../content-types/model/types.js';
import {
  both,
  id,
  type ComponentSelection,
  type Filter,
  type PopulateNode,
  type Query,
  type RelatedQuery,
  type Selection,
} from '../../query/ast.js';

/** The ids of entries of a type that a transaction has removed: they are stored until it is committed. */
export type RemovedIds = (type: ContentType) => readonly number[];

/** A query that finds none of them, at any level. */
export const hideRemoved = (query: Query, removed: RemovedIds): Query => ({
  ...query,
  populate: populateWithout(query, removed),
  filter: filterWithout(query.filter, query.type, removed),
});

/** A condition that matches none of them. */
export function filterWithout(filter: Filter | undefined, type: ContentType, removed: RemovedIds): Filter | undefined {
  const ids = removed(type);
  return ids.length === 0 ? filter : both(filter, { kind: 'comparison', field: id, operator: '$notIn', operands: ids });
}

const populateWithout = ({ populate }: Selection, removed: RemovedIds): readonly PopulateNode[] =>
  populate.map((node) => nodeWithout(node, removed));

function nodeWithout(node: PopulateNode, removed: RemovedIds): PopulateNode {
  switch (node.kind) {
    case 'relation':
      return { ...node, query: relatedWithout(node.query, node.attribute.target, removed) };
    case 'morph': {
      const on = [...node.on].map(([type, query]) => [type, relatedWithout(query, type, removed)] as const);
      return { ...node, on: new Map(on) };
    }
    case 'component':
      return { ...node, selection: componentWithout(node.selection, removed) };
    case 'zone': {
      const on = [...node.on].map(([uid, selection]) => [uid, componentWithout(selection, removed)] as const);
      return { ...node, on: new Map(on) };
    }
    default:
      return node satisfies never;
  }
}

const relatedWithout = (query: RelatedQuery, type: ContentType, removed: RemovedIds): RelatedQuery => ({
  ...query,
  populate: populateWithout(query, removed),
  filter: filterWithout(query.filter, type, removed),
});

const componentWithout = (selection: ComponentSelection, removed: RemovedIds): ComponentSelection => ({
  ...selection,
  populate: populateWithout(selection, removed),
});
