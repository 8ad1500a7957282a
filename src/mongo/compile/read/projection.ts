import type { Document } from 'mongodb';
import type { PopulateNode, Selection } from '../../../query/ast.js';
import { coversWholeNode } from './covers-all-attributes.js';
import { outputField } from './output-field.js';
import { sortInZone, sortWithin } from './sort.js';

/** The stored paths that a selection needs, as an inclusion projection; `_id` comes by itself. */
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
  return availableLocales === true ? [localizations.ids, localizations.locales] : [localizations.ids];
}

/** Where an entry keeps the ids of its localizations, and beside them their locales. */
const localizations = { ids: 'localizations', locales: '_rank.localizations' };

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
