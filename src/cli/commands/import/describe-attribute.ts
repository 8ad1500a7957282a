import type { AttributeDefinition } from '../../../content-types/model/definition.js';
import type { Attribute } from '../../../content-types/model/types.js';

/** A short description of an attribute's values; equal descriptions mean equal values. */
export function describeAttribute(attribute: Attribute): string {
  switch (attribute.kind) {
    case 'scalar':
      return attribute.type;
    case 'relation':
      return attribute.media ? media(attribute.many) : `${attribute.relation} to ${attribute.target.uid}`;
    case 'morph':
      return attribute.many ? 'morphToMany' : 'morphToOne';
    case 'morphed':
      return `${attribute.many ? 'morphMany' : 'morphOne'} to ${attribute.target.uid}`;
    case 'component':
      return component(attribute.component.uid, attribute.repeatable);
    case 'zone':
      return zone([...attribute.components.keys()]);
    default:
      return attribute satisfies never;
  }
}

/** Describes an attribute as a definition file declares it, in the words of `describeAttribute`. */
export function describeDefinition(definition: AttributeDefinition): string {
  const { type, relation, target } = definition;
  switch (type) {
    case 'relation':
      return String(relation).startsWith('morphTo') ? String(relation) : `${String(relation)} to ${String(target)}`;
    case 'media':
      return media(definition['multiple'] === true);
    case 'component':
      return component(String(definition['component']), definition['repeatable'] === true);
    case 'dynamiczone':
      return zone(definition['components'] as readonly string[]);
    default:
      return type;
  }
}

const media = (many: boolean): string => (many ? 'media, several' : 'media');
const component = (uid: string, repeatable: boolean): string => `component ${uid}${repeatable ? ', repeatable' : ''}`;
const zone = (uids: readonly string[]): string => `dynamic zone of ${uids.toSorted().join(', ')}`;
