import { attributeTypes, type JsonSchema } from '../../content-types/model/attribute-types.js';
import { typeName } from '../../content-types/model/type-name.js';
import type { Attribute, Component, ContentType } from '../../content-types/model/types.js';
import type { Model } from '../../content-types/model/walk.js';
import { attributesFor, isReadable, type Audience } from '../../query/visibility.js';
import type { ApiDescription } from '../contract/api-description.js';
import { reference } from '../contract/content-type-routes.js';

export type Schemas = Readonly<Record<string, JsonSchema>>;

const entryOf = (type: ContentType): JsonSchema => reference(`${typeName(type)}Entry`);
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

/** The attributes that an audience can read, by the names that these have for it. */
export const readable = (
  model: ContentType | Component,
  audience: Audience,
): readonly (readonly [name: string, attribute: Attribute])[] =>
  [...attributesFor(model, audience)].filter(([, attribute]) => isReadable(attribute, audience));

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
export function answersOf(type: ContentType, api: ApiDescription): Schemas {
  const { answers } = api;
  const name = typeName(type);
  return {
    [name]: { type: 'object', properties: propertiesOf(type, api) },
    [`${name}Entry`]: answers.entry(reference(name)),
    [`${name}Response`]: {
      type: 'object',
      required: ['data', 'meta'],
      properties: { data: answers.data(entryOf(type)), meta: { type: 'object' } },
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
    ...(type.uid.startsWith('plugin::') && { [`${name}Record`]: recordOf(type, api) }),
  };
}

/** The schema of a component's values. */
export const componentAnswer = (component: Component, api: ApiDescription): Schemas => ({
  [typeName(component)]: { type: 'object', properties: { id: { type: 'integer' }, ...propertiesOf(component, api) } },
});

const share: JsonSchema = { type: 'number', minimum: 0, maximum: 1 };
/** Json attributes of plugins that have a known form, by content type. */
const wellKnown: Readonly<Record<string, Schemas>> = {
  'plugin::upload.file': { focalPoint: { type: 'object', required: ['x', 'y'], properties: { x: share, y: share } } },
};

const propertiesOf = (
  model: ContentType | Component,
  { audience, answers }: ApiDescription,
  isShown: (attribute: Attribute) => boolean = () => true,
): Schemas =>
  Object.fromEntries(
    readable(model, audience).flatMap(([name, attribute]) =>
      isShown(attribute) ? [[name, wellKnownSchema(model, name, attribute) ?? answered(attribute, answers)]] : [],
    ),
  );

function wellKnownSchema({ uid }: Model, name: string, attribute: Attribute): JsonSchema | undefined {
  const schema = wellKnown[uid]?.[name];
  const isNever = attribute.kind === 'scalar' && attribute.omitsNull === true;
  return schema === undefined || isNever ? schema : orNull(schema);
}

function recordOf(type: ContentType, api: ApiDescription): JsonSchema {
  const scalars = propertiesOf(type, api, ({ kind }) => kind === 'scalar');
  return { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, ...scalars } };
}

/** Values of relations, components and media are there when they are populated. */
function answered(attribute: Attribute, answers: ApiDescription['answers']): JsonSchema {
  switch (attribute.kind) {
    case 'scalar':
      return orNull(attributeTypes[attribute.type].openApi.answered);
    case 'relation':
    case 'morphed': {
      const entry = entryOf(attribute.target);
      if (!attribute.many) return answers.one(orNull(entry));
      const isMedia = attribute.kind === 'relation' && attribute.media;
      return answers.many(isMedia && answers.emptyLists !== true ? orNull(list(entry)) : list(entry));
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
