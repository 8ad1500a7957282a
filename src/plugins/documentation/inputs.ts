import { slugOf } from '../../documents/slug.js';
import { attributeTypes, type JsonSchema } from '../../content-types/model/attribute-types.js';
import { typeName } from '../../content-types/model/type-name.js';
import type { Attribute, Component, ContentType, ScalarAttribute } from '../../content-types/model/types.js';
import { holdsComponents, isComponentList } from '../../content-types/model/walk.js';
import { isRequired, isRequiredOfDrafts } from '../../documents/input/validate/schema.js';
import { operators, type OperatorRule } from '../../query/operators.js';
import type { ApiDescription, DescribedInputs } from '../contract/api-description.js';
import { inData, reference } from '../contract/content-type-routes.js';
import { isReadable } from '../../query/visibility.js';
import { inZone, orNull, readable, type Schemas } from './response-schemas.js';

/** The attributes that are writable and public: anyone can read the description, so it names no private ones. */
const takenIn = (model: ContentType | Component, { isTaken }: DescribedInputs): readonly Attribute[] =>
  [...model.attributes.values()].filter(
    (attribute) => attribute.writable && isReadable(attribute, 'client') && isTaken(attribute, model),
  );

/** The request schemas of a content type or a component: written attributes, bodies, and filters. */
export function inputsOf(model: ContentType | Component, api: ApiDescription): Schemas {
  const { inputs } = api;
  const name = typeName(model);
  const values = reference(`${name}Input`);
  const bodies = model.kind !== 'component' && {
    [`${name}CreateRequest`]: inData(complete(values, model, inputs)),
    [`${name}UpdateRequest`]: inData(values),
  };
  return { [`${name}Input`]: valuesOf(model, inputs), ...bodies, [`${name}Filters`]: filtersOf(model, api) };
}

/** With what must be given to a new entry; a draft may lack all of it but lists of components. */
function complete(values: JsonSchema, type: ContentType, inputs: DescribedInputs): JsonSchema {
  const taken = takenIn(type, inputs);
  const required = taken.filter(isRequired).map(({ name }) => name);
  if (required.length === 0) return values;
  const published = { allOf: [values], required };
  if (!type.draftAndPublish) return published;
  const ofDrafts = [...inputs.draft.required, ...taken.filter(isRequiredOfDrafts).map(({ name }) => name)];
  const draft = { allOf: [values], required: ofDrafts, properties: inputs.draft.properties };
  return { anyOf: [published, draft] };
}

function valuesOf(model: ContentType | Component, inputs: DescribedInputs): JsonSchema {
  const isComponent = model.kind === 'component';
  const isLenient = isComponent || model.draftAndPublish;
  const properties = takenIn(model, inputs).map((attribute) => {
    const schema = schemaOf(attribute);
    const isList = holdsComponents(attribute) && isComponentList(attribute);
    return [attribute.name, isList || (attribute.required && !isLenient) ? schema : orNull(schema)] as const;
  });
  const id = isComponent ? { id: { type: 'integer', description: 'The id of an existing component' } } : {};
  const values = { type: 'object', properties: { ...id, ...Object.fromEntries(properties) } };
  return isComponent ? values : { ...values, ...inputs.data };
}

function schemaOf(attribute: Attribute): JsonSchema {
  switch (attribute.kind) {
    case 'scalar': {
      const schema = scalarSchema(attribute);
      return attribute.default === undefined ? schema : { ...schema, default: attribute.default };
    }
    case 'relation':
    case 'morphed':
      return reference('RelationInput');
    case 'morph':
      return { type: ['array', 'object'] };
    case 'component': {
      const schema = reference(`${typeName(attribute.component)}Input`);
      return attribute.repeatable ? { type: 'array', items: schema, ...bounds(attribute) } : schema;
    }
    case 'zone': {
      const items = { anyOf: [...attribute.components.values()].map((component) => inZone(component, 'Input')) };
      return { type: 'array', items, ...bounds(attribute) };
    }
    default:
      return attribute satisfies never;
  }
}

function scalarSchema(attribute: ScalarAttribute): JsonSchema {
  const { answered, input } = attributeTypes[attribute.type].openApi;
  const schema = input?.(attribute) ?? answered;
  if (attribute.type !== 'uid' || attribute.regex !== undefined) return schema;
  // Without one Swagger UI makes a random text of the pattern.
  return { ...schema, example: slugOf(`my ${attribute.targetField ?? attribute.name}`) };
}

const bounds = ({ max }: { readonly max?: number }): JsonSchema => (max === undefined ? {} : { maxItems: max });

function filtersOf(model: ContentType | Component, { audience, inputs }: ApiDescription): JsonSchema {
  const filters = reference(`${typeName(model)}Filters`);
  const groups = { type: 'array', items: filters };
  const named = readable(model, audience).flatMap(([name, attribute]) => {
    const schema = attribute.kind === 'zone' && !inputs.filtersZones ? undefined : condition(attribute);
    return schema === undefined ? [] : [[name, schema] as const];
  });
  const id = model.kind === 'component' ? {} : { id: reference('Condition') };
  return {
    type: 'object',
    properties: { $and: groups, $or: groups, $not: filters, ...id, ...Object.fromEntries(named) },
  };
}

function condition(attribute: Attribute): JsonSchema | undefined {
  switch (attribute.kind) {
    case 'scalar':
      return reference('Condition');
    case 'relation':
    case 'morphed':
      return reference(`${typeName(attribute.target)}Filters`);
    case 'component':
      return reference(`${typeName(attribute.component)}Filters`);
    case 'zone': {
      const ofKind = [...attribute.components.values()].map(
        (component) => [component.uid, reference(`${typeName(component)}Filters`)] as const,
      );
      const on = { type: 'object', properties: Object.fromEntries(ofKind), additionalProperties: false };
      return { type: 'object', required: ['$on'], properties: { $on: on } };
    }
    case 'morph':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

const scalar: JsonSchema = { type: ['string', 'number', 'boolean'] };
const operands: Readonly<Record<OperatorRule['operands'], JsonSchema>> = {
  each: scalar,
  flag: { type: 'boolean' },
  many: { type: 'array', items: scalar },
  pair: { type: 'array', items: scalar, minItems: 2, maxItems: 2 },
};
/** The schemas that all content types refer to. */
export const sharedInputs = ({ relation }: DescribedInputs): Schemas => ({
  Condition: {
    description: 'A value, or operators with their values',
    anyOf: [
      scalar,
      {
        type: 'object',
        properties: {
          ...Object.fromEntries(Object.entries(operators).map(([name, rule]) => [name, operands[rule.operands]])),
          $not: reference('Condition'),
        },
      },
    ],
  },
  RelationInput: relation,
});
