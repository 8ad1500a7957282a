import { attributeTypes, type JsonSchema } from '../../content-types/model/attribute-types.js';
import { typeName } from '../../content-types/model/type-name.js';
import type { Attribute, Component, ContentType } from '../../content-types/model/types.js';
import { isReadable } from '../../query/visibility.js';
import { inData, reference } from '../contract/content-type-routes.js';

export type Schemas = Readonly<Record<string, JsonSchema>>;

const entryOf = (type: ContentType): JsonSchema => reference(`${typeName(type)}Entry`);
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

export const readable = ({ attributes }: ContentType | Component): readonly Attribute[] =>
  [...attributes.values()].filter((attribute) => isReadable(attribute, 'client'));

/** The schema, or null. */
export function orNull(schema: JsonSchema): JsonSchema {
  if (Object.keys(schema).length === 0) return schema;
  const { type, enum: values } = schema;
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [type, 'null'].flat(),
    ...(Array.isArray(values) && { enum: [...(values as readonly unknown[]), null] }),
  };
}

/** The response schemas of a content type: attributes, entry, single response and list response. */
export function answersOf(type: ContentType): Schemas {
  const name = typeName(type);
  return {
    [name]: { type: 'object', properties: propertiesOf(type) },
    [`${name}Entry`]: {
      type: 'object',
      required: ['id', 'attributes'],
      properties: { id: { type: 'integer' }, attributes: reference(name), meta: { type: 'object' } },
    },
    [`${name}Response`]: {
      type: 'object',
      required: ['data', 'meta'],
      properties: { data: orNull(entryOf(type)), meta: { type: 'object' } },
    },
    [`${name}ListResponse`]: {
      type: 'object',
      required: ['data', 'meta'],
      properties: {
        data: list(entryOf(type)),
        meta: { type: 'object', properties: { pagination: reference('Pagination') } },
      },
    },
    // Plugins answer with plain records: no envelopes, relations as they come.
    ...(type.uid.startsWith('plugin::') && { [`${name}Record`]: recordOf(type) }),
  };
}

/** The schema of a component's values. */
export const componentAnswer = (component: Component): Schemas => ({
  [typeName(component)]: { type: 'object', properties: { id: { type: 'integer' }, ...propertiesOf(component) } },
});

const share: JsonSchema = { type: 'number', minimum: 0, maximum: 1 };
/** Json attributes of plugins that have a known form, by content type. */
const wellKnown: Readonly<Record<string, Schemas>> = {
  'plugin::upload.file': { focalPoint: { type: 'object', required: ['x', 'y'], properties: { x: share, y: share } } },
};

const propertiesOf = (model: ContentType | Component, attributes = readable(model)): Schemas => ({
  ...Object.fromEntries(attributes.map((attribute) => [attribute.name, answered(attribute)])),
  ...wellKnown[model.uid],
});

function recordOf(type: ContentType): JsonSchema {
  const scalar = readable(type).filter(({ kind }) => kind === 'scalar');
  return { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, ...propertiesOf(type, scalar) } };
}

/** Values of relations, components and media are there when they are populated. */
function answered(attribute: Attribute): JsonSchema {
  switch (attribute.kind) {
    case 'scalar':
      return orNull(attributeTypes[attribute.type].openApi.answered);
    case 'relation':
    case 'morphed': {
      const entry = entryOf(attribute.target);
      if (!attribute.many) return inData(orNull(entry));
      // As Strapi v4: no files are null, not an empty list.
      const isMedia = attribute.kind === 'relation' && attribute.media;
      return inData(isMedia ? orNull(list(entry)) : list(entry));
    }
    case 'morph':
      return { type: attribute.many ? 'array' : ['object', 'null'] };
    case 'component': {
      const schema = reference(typeName(attribute.component));
      return attribute.repeatable ? list(schema) : orNull(schema);
    }
    case 'zone':
      return list({ anyOf: [...attribute.components.values()].map((component) => inZone(component, '')) });
    default:
      return attribute satisfies never;
  }
}

/** A component in a dynamic zone has the name of its type. */
export const inZone = (component: Component, suffix: '' | 'Input'): JsonSchema => ({
  type: 'object',
  required: ['__component'],
  properties: { __component: { const: component.uid } },
  allOf: [reference(`${typeName(component)}${suffix}`)],
});
