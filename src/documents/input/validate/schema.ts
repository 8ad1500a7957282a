import { attributeTypes } from '../../../content-types/model/attribute-types.js';
import type {
  Attribute,
  Component,
  ContentType,
  ScalarAttribute,
  ZoneAttribute,
} from '../../../content-types/model/types.js';

/**
 * What is checked: `create` all; `update` what is there; `draft` neither that required values are there nor that texts
 * are long enough.
 */
export type Mode = 'create' | 'update' | 'draft';

type Schema = Readonly<Record<string, unknown>>;

/** The JSON Schema of data (cast, without nulls that are allowed) for a content type or component. */
export function schemaOf(type: ContentType | Component, mode: Mode): Schema {
  const attributes = [...type.attributes.values()];
  const required = mode === 'create' ? attributes.filter(isDemanded).map(({ name }) => name) : [];
  const properties = attributes.map((attribute) => [attribute.name, attributeSchema(attribute, mode)] as const);
  return { type: 'object', required, properties: Object.fromEntries(properties) };
}

/** The name under which the schema of a component is known to the others. */
export const componentReference = ({ uid }: Component, mode: Mode): string => `component:${mode}/${uid}`;

/** The name under which `knownComponents` is known to the others. */
export const KNOWN_COMPONENTS = 'components';

/** The uids of all components, in the order in which Strapi v4 names them. */
export const knownComponents = (components: ReadonlyMap<string, Component>): Schema => ({
  enum: [...components.keys()].toReversed(),
});

/** Absent values count as missing where there is no default; relations are never demanded, as in Strapi v4. */
function isDemanded(attribute: Attribute): boolean {
  if (!attribute.required) return false;
  if (attribute.kind === 'scalar') return attribute.default === undefined;
  return attribute.kind === 'component' || attribute.kind === 'zone';
}

/** May the value be null? Lists of components never may. */
export function isNullable(attribute: Attribute, mode: Mode): boolean {
  const isList = attribute.kind === 'zone' || (attribute.kind === 'component' && attribute.repeatable);
  return !isList && (mode === 'draft' || !attribute.required);
}

function attributeSchema(attribute: Attribute, mode: Mode): Schema | true {
  switch (attribute.kind) {
    case 'scalar':
      return scalarSchema(attribute, mode);
    case 'component': {
      const one = { $ref: componentReference(attribute.component, mode) };
      return attribute.repeatable ? { type: 'array', items: one, ...bounds(attribute) } : one;
    }
    case 'zone':
      return { type: 'array', items: zoneItem(attribute, mode), ...bounds(attribute) };
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

/** An empty list is never too short unless it is required. */
function bounds({ min, max, required }: { min?: number; max?: number; required: boolean }): Schema {
  const atLeast = min === undefined ? {} : { minItems: min };
  return {
    ...(max !== undefined && { maxItems: max }),
    ...(required ? atLeast : { if: { minItems: 1 }, then: atLeast }),
  };
}

function zoneItem({ components }: ZoneAttribute, mode: Mode): Schema {
  // As recorded: for what is no component at all, the message lists all that there are.
  const known = { $ref: KNOWN_COMPONENTS };
  const knownHere = { if: known, then: { enum: [...components.keys()] }, else: known };
  return {
    type: 'object',
    required: ['__component'],
    properties: { __component: { type: 'string', ...knownHere } },
    allOf: [...components.values()].map((component) => ({
      if: { type: 'object', required: ['__component'], properties: { __component: { const: component.uid } } },
      then: { $ref: componentReference(component, mode) },
    })),
  };
}
