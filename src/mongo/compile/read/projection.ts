import type { Document } from 'mongodb';
import type { PopulateNode, Selection } from '../../../query/ast.js';
import { linkPaths } from '../../stored/relation.js';
import { sortInZone, sortWithin } from './sort.js';
import type { Attribute, Attributes } from '../../../content-types/model/types.js';

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
