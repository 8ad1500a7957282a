import { defined, type Data } from '../../config/record.js';
import { attributeTypes } from '../../content-types/model/attribute-types.js';
import type { Attribute, Component, ContentType } from '../../content-types/model/types.js';
import { allowedComponents, holdsComponents } from '../../content-types/model/walk.js';

/** What the values of an attribute are, and one that can be written; none where a pattern decides. */
interface Explanation {
  readonly description: string;
  readonly example?: unknown;
}

/** Explains the values of an attribute. Components are explained by their own attributes. */
export function explain(attribute: Attribute): Explanation {
  switch (attribute.kind) {
    case 'scalar': {
      const { description, example } = attributeTypes[attribute.type];
      return { description, example: attribute.default ?? example(attribute) };
    }
    case 'relation':
    case 'morphed':
      return attribute.many
        ? { description: 'A list of ids; {"connect": [3], "disconnect": [4]} changes it', example: [1] }
        : { description: 'An id, or null', example: 1 };
    case 'morph': {
      const link = { __type: 'api::article.article', id: 1 };
      return attribute.many
        ? { description: 'A list of links to entries of any type', example: [link] }
        : { description: 'A link to an entry of any type, or null', example: link };
    }
    case 'component':
      return { description: attribute.repeatable ? 'A list of components' : 'A component, or null' };
    case 'zone':
      return { description: 'A list of components, each with its uid as "__component"' };
    default:
      return attribute satisfies never;
  }
}

/** Values for a new entry, without links: which entries and files there are differs. @param isGiven whether an attribute has a value */
export function exampleData(
  { attributes }: ContentType | Component,
  isGiven = ({ writable }: Attribute): boolean => writable,
): Data {
  const valueOf = (attribute: Attribute): unknown => {
    if (attribute.kind === 'scalar') return explain(attribute).example;
    if (!holdsComponents(attribute)) return undefined;
    if (attribute.kind === 'component' && !attribute.repeatable) return exampleData(attribute.component);
    const values = allowedComponents(attribute).map((component) => ({
      ...(attribute.kind === 'zone' && { __component: component.uid }),
      ...exampleData(component),
    }));
    const { min = 1, max = Infinity } = attribute;
    const count = Math.min(Math.max(values.length, min), max);
    return Array.from({ length: count }, (_, index) => values[index % values.length]);
  };
  const given = [...attributes.values()].filter(isGiven);
  return defined(Object.fromEntries(given.map((attribute) => [attribute.name, valueOf(attribute)])));
}
