import { attributeTypes } from '../../../content-types/model/attribute-types.js';
import type {
  Attribute,
  Component,
  ContentType,
  ScalarAttribute,
  ZoneAttribute,
} from '../../../content-types/model/types.js';
import { holdsComponents, isComponentList } from '../../../content-types/model/walk.js';

/**
 * The scope of the validation: an update checks only the values that are present; a draft needs no required values,
 * except lists of components, and its strings may be too short.
 */
export interface Scope {
  readonly isNew: boolean;
  readonly isDraft: boolean;
}

export const scopes: readonly Scope[] = [true, false].flatMap((isNew) =>
  [true, false].map((isDraft) => ({ isNew, isDraft })),
);

/** Its name in identifiers of schemas. */
export const nameOfScope = ({ isNew, isDraft }: Scope): string =>
  `${isNew ? 'create' : 'update'}${isDraft ? '-draft' : ''}`;

type Schema = Readonly<Record<string, unknown>>;

/** The JSON Schema of cast data for a content type or component. */
export function schemaOf(type: ContentType | Component, scope: Scope): Schema {
  const attributes = [...type.attributes.values()];
  const isNeeded = scope.isDraft ? isRequiredOfDrafts : isRequired;
  const required = scope.isNew ? attributes.filter(isNeeded).map(({ name }) => name) : [];
  const properties = attributes.map((attribute) => [attribute.name, nullableSchema(attribute, scope)] as const);
  return { type: 'object', required, properties: Object.fromEntries(properties) };
}

/** The identifier of the schema of a component. */
export const componentReference = ({ uid }: Component, scope: Scope): string =>
  `component:${nameOfScope(scope)}/${uid}`;

/** The identifier of `allComponents`. */
export const ALL_COMPONENTS = 'components';

/** The uids of all components, in the order in which Strapi v4 names them. */
export const allComponents = (components: ReadonlyMap<string, Component>): Schema => ({
  enum: [...components.keys()].toReversed(),
});

/** Whether a new entry needs a value: not if there is a default. As in Strapi v4, files are never required. */
export const isRequired = (attribute: Attribute): boolean =>
  attribute.required && !isMedia(attribute) && (attribute.kind !== 'scalar' || attribute.default === undefined);

const isMedia = (attribute: Attribute): boolean => attribute.kind === 'relation' && attribute.media;
const isList = (attribute: Attribute): boolean => holdsComponents(attribute) && isComponentList(attribute);

/** Whether also a new draft needs it: as in Strapi v4, a list of components. */
export const isRequiredOfDrafts = (attribute: Attribute): boolean => isRequired(attribute) && isList(attribute);

/** Whether the value can be null; lists of components cannot. */
const isNullable = (attribute: Attribute, { isDraft }: Scope): boolean =>
  isMedia(attribute) || (!isList(attribute) && (isDraft || !attribute.required));

/** Whether Strapi v4 checks the type of a value, and so says which type null lacks. */
const isTyped = (attribute: Attribute): boolean =>
  attribute.kind === 'scalar' ? attributeTypes[attribute.type].untyped !== true : holdsComponents(attribute);

function nullableSchema(attribute: Attribute, scope: Scope): Schema | true {
  const schema = attributeSchema(attribute, scope);
  if (isNullable(attribute, scope)) return schema === true ? schema : { if: { type: 'null' }, else: schema };
  if (isTyped(attribute)) return schema;
  return { if: { type: 'null' }, then: { notNull: scope.isNew ? MUST_BE_DEFINED : 'cannot be null' }, else: schema };
}

/** What is said of null in a new entry: as if the value were missing. */
export const MUST_BE_DEFINED = 'must be defined';

function attributeSchema(attribute: Attribute, scope: Scope): Schema | true {
  switch (attribute.kind) {
    case 'scalar':
      return scalarSchema(attribute, scope);
    case 'component': {
      const component = { $ref: componentReference(attribute.component, scope) };
      return attribute.repeatable ? listOf(component, attribute) : component;
    }
    case 'zone':
      return listOf(zoneItem(attribute, scope), attribute);
    case 'relation':
    case 'morph':
    case 'morphed':
      return true;
    default:
      return attribute satisfies never;
  }
}

function scalarSchema(attribute: ScalarAttribute, scope: Scope): Schema {
  const { minLength, ...schema } = attributeTypes[attribute.type].schema(attribute);
  return scope.isDraft || minLength === undefined ? schema : { ...schema, minLength };
}

/** The errors after which a list is not checked any further: each takes time, and only the first are answered. */
export const MAX_ERRORS = 1000;

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

function zoneItem({ components }: ZoneAttribute, scope: Scope): Schema {
  // For an unknown component, the message lists all components that exist (corpus:
  // 17-writes-components-dz/12-dynamic-zone).
  const exists = { $ref: ALL_COMPONENTS };
  const isAllowed = { if: exists, then: { enum: [...components.keys()] }, else: exists };
  return {
    type: 'object',
    required: ['__component'],
    isStrict: true,
    properties: { __component: { type: 'string', ...isAllowed } },
    allOf: [...components.values()].map((component) => ({
      if: { type: 'object', required: ['__component'], properties: { __component: { const: component.uid } } },
      then: { $ref: componentReference(component, scope) },
    })),
  };
}
