import type { AttributeDefinition } from '../../../content-types/model/definition.js';
import type { Attribute, Component, ContentType } from '../../../content-types/model/types.js';

/** Descriptions of attributes, and of what they have in common, by name. */
export type Description = Readonly<Record<string, string>>;

/** @param describe default: the values of an attribute */
export const describeAttributes = (
  { attributes }: ContentType | Component,
  describe: (attribute: Attribute) => string = describeAttribute,
): Description =>
  Object.fromEntries([...attributes.values()].map((attribute) => [attribute.name, describe(attribute)]));

/**
 * A line for each attribute of a type that is missing in this project, or different. Attributes that exist only in this
 * project stay empty.
 * @param origin what the archived description is of
 */
export const compare = (
  uid: string,
  archived: Description,
  current: Description,
  origin: 'source' | 'export',
): readonly string[] =>
  Object.entries(archived).flatMap(([name, described]) => {
    const present = current[name];
    if (present === described) return [];
    return present === undefined
      ? [`${uid} ${name} (${described}) is not an attribute in this project`]
      : [`${uid} ${name} is ${described} in the ${origin} and ${present} in this project`];
  });

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
