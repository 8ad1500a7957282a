import { attributeTypes } from '../../../content-types/model/attribute-types.js';
import type {
  Attribute,
  Component,
  ContentType,
  ScalarAttribute,
  ZoneAttribute,
} from '../../../content-types/model/types.js';

/**
 * The scope of the validation: `create` checks everything; `update` the values that are present; `draft` neither that required values are
 * present nor that strings are long enough.
 */
export type Mode = 'create' | 'update' | 'draft';

type Schema = Readonly<Record<string, unknown>>;

/** The JSON Schema of cast data for a content type or component. */
export function schemaOf(type: ContentType | Component, mode: Mode): Schema {
  const attributes = [...type.attributes.values()];
  const required = mode === 'create' ? attributes.filter(isRequired).map(({ name }) => name) : [];
  const properties = attributes.map((attribute) => [attribute.name, nullableSchema(attribute, mode)] as const);
  return { type: 'object', required, properties: Object.fromEntries(properties) };
}

/** The identifier of the schema of a component. */
export const componentReference = ({ uid }: Component, mode: Mode): string => `component:${mode}/${uid}`;

/** The identifier of `allComponents`. */
export const ALL_COMPONENTS = 'components';

/** The uids of all components, in the order in which Strapi v4 names them. */
export const allComponents = (components: ReadonlyMap<string, Component>): Schema => ({
  enum: [...components.keys()].toReversed(),
});

/** Whether a new entry needs a value: not if there is a default; relations are never required, as in Strapi v4. */
export function isRequired(attribute: Attribute): boolean {
  if (!attribute.required) return false;
  if (attribute.kind === 'scalar') return attribute.default === undefined;
  return attribute.kind === 'component' || attribute.kind === 'zone';
}

/** Whether the value can be null; lists of components cannot. */
function isNullable(attribute: Attribute, mode: Mode): boolean {
  const isList = attribute.kind === 'zone' || (attribute.kind === 'component' && attribute.repeatable);
  return !isList && (mode === 'draft' || !attribute.required);
}

function nullableSchema(attribute: Attribute, mode: Mode): Schema | true {
  const schema = attributeSchema(attribute, mode);
  return schema === true || !isNullable(attribute, mode) ? schema : { if: { type: 'null' }, else: schema };
}

function attributeSchema(attribute: Attribute, mode: Mode): Schema | true {
  switch (attribute.kind) {
    case 'scalar':
      return scalarSchema(attribute, mode);
    case 'component': {
      const component = { $ref: componentReference(attribute.component, mode) };
      return attribute.repeatable ? listOf(component, attribute) : component;
    }
    case 'zone':
      return listOf(zoneItem(attribute, mode), attribute);
    case 'relation':
    case 'morph':
    case 'morphed':
      return true;
    default:
      return attribute satisfies never;
  }
}

function scalarSchema(attribute: ScalarAttribute, mode: Mode): Schema {
  const { minLength, ...schema } = attributeTypes[attribute.type].schema(attribute);
  return mode === 'draft' || minLength === undefined ? schema : { ...schema, minLength };
}

/** The errors after which a list is not checked any further: each takes time, and only the first are answered. */
const MAX_ERRORS = 1000;

const listOf = (items: Schema, attribute: Parameters<typeof bounds>[0]): Schema => ({
  type: 'array',
  items: { ...items, maxErrors: MAX_ERRORS },
  ...bounds(attribute),
});

/** An empty list is never too short unless it is required. */
function bounds({ min, max, required }: { min?: number; max?: number; required: boolean }): Schema {
  const atLeast = min === undefined ? {} : { minItems: min };
  return {
    ...(max !== undefined && { maxItems: max }),
    ...(required ? atLeast : { if: { minItems: 1 }, then: atLeast }),
  };
}

function zoneItem({ components }: ZoneAttribute, mode: Mode): Schema {
  // As recorded: for an unknown component, the message lists all components that exist.
  const exists = { $ref: ALL_COMPONENTS };
  const isAllowed = { if: exists, then: { enum: [...components.keys()] }, else: exists };
  return {
    type: 'object',
    required: ['__component'],
    properties: { __component: { type: 'string', ...isAllowed } },
    allOf: [...components.values()].map((component) => ({
      if: { type: 'object', required: ['__component'], properties: { __component: { const: component.uid } } },
      then: { $ref: componentReference(component, mode) },
    })),
  };
}
