import type { Component, ContentType, Attribute, ZoneAttribute } from '../../content-types/model/types.js';
import type { SchemaForm } from '../../plugins/contract/graphql/form.js';
import {
  componentNames,
  namesOf,
  zoneFiltersName,
  zoneInputName,
  zoneName,
} from '../../plugins/contract/graphql/names.js';
import { isKey } from '../../query/parse/parse-key.js';
import { inputType, objectType, unionType } from './definition.js';
import { outputFields } from './output-fields.js';
import type { Shadow } from './rules.js';
import { scalarFilterName } from './base-types.js';
import { scalarName, scalarField } from './scalars/scalar-names.js';

/** All types of a content type, in SDL; unreferenced ones are pruned later. */
export function contentTypeDefinitions(model: ContentType, shadow: Shadow, form: SchemaForm): readonly string[] {
  const names = namesOf(model);
  return [
    objectType(names.type, outputFields(model, shadow, form)),
    ...form.entryTypes(names),
    ...inputDefinitions(model, names, shadow, form.furtherFields(model)),
    ...keyDefinitions(model, shadow),
    ...attributeDefinitions(model, shadow),
  ];
}

/** All types of a component, in SDL. */
export function componentDefinitions(model: Component, shadow: Shadow, form: SchemaForm): readonly string[] {
  const names = componentNames(model);
  return [
    objectType(names.type, outputFields(model, shadow, form)),
    ...inputDefinitions(model, names, shadow, { filters: [], input: [] }),
    ...attributeDefinitions(model, shadow),
  ];
}

const inputDefinitions = (
  model: ContentType | Component,
  { input, filters }: { readonly input: string; readonly filters: string },
  shadow: Shadow,
  further: Pick<ReturnType<SchemaForm['furtherFields']>, 'filters' | 'input'>,
): readonly string[] => [
  inputType(input, [...inputFields(model, shadow), ...further.input]),
  inputType(filters, [...further.filters, ...filterFields(model, shadow)]),
];

/** The attributes of a type by which one entry is found. */
const keysOf = ({ uid, attributes }: ContentType, shadow: Shadow): readonly string[] =>
  [...attributes.values()].flatMap((attribute) =>
    isKey(attribute) && shadow.hasField(uid, attribute.name, 'filters') ? [attribute.name] : [],
  );

export const hasKeys = (type: ContentType, shadow: Shadow): boolean => keysOf(type, shadow).length > 0;

/** The input that names an entry by one of its unique values, in SDL. */
const keyDefinitions = (type: ContentType, shadow: Shadow): readonly string[] =>
  shadow.requestOptions && hasKeys(type, shadow)
    ? [
        inputType(
          namesOf(type).keyInput,
          keysOf(type, shadow).map((name) => `${name}: String`),
        ),
      ]
    : [];

/** The unions of dynamic zones, the scalars that write them, and their filters. */
function attributeDefinitions(model: ContentType | Component, shadow: Shadow): readonly string[] {
  return [...model.attributes.values()].flatMap((attribute) => {
    if (attribute.kind !== 'zone') return [];
    const members = zoneMembers(attribute, shadow).map(componentNames);
    return [
      unionType(zoneName(model, attribute), [...members.map(({ type }) => type), 'Error']),
      `scalar ${zoneInputName(model, attribute)}`,
      ...(shadow.zoneFilters && members.length > 0
        ? [
            inputType(
              zoneFiltersName(model, attribute),
              members.map(({ type, filters }) => `${type}: ${filters}`),
            ),
          ]
        : []),
    ];
  });
}

/** The fields of the filter input of a content type or component. It includes private attributes, which are refused. */
function filterFields(model: ContentType | Component, shadow: Shadow): readonly string[] {
  const has = (name: string): boolean => shadow.hasField(model.uid, name, 'filters');
  const attributeFields = [...model.attributes.values()].flatMap((attribute) =>
    has(attribute.name) ? (fieldOf(model, attribute, shadow) ?? []) : [],
  );
  const { filters } = model.kind === 'component' ? componentNames(model) : namesOf(model);
  return [...attributeFields, `and: [${filters}]`, `or: [${filters}]`, `not: ${filters}`];
}

/** The components of a dynamic zone that the schema has. */
const zoneMembers = ({ components }: ZoneAttribute, shadow: Shadow): readonly Component[] =>
  [...components.values()].filter(({ uid }) => shadow.hasType(uid));

/**
 * Undefined for attributes that GraphQL cannot filter by: files, morphs, relations to omitted types, and zones unless
 * they are enabled.
 */
function fieldOf(model: ContentType | Component, attribute: Attribute, shadow: Shadow): string | undefined {
  const { name } = attribute;
  switch (attribute.kind) {
    case 'scalar':
      return `${name}: ${scalarFilterName(scalarName(attribute))}`;
    case 'relation':
      if (attribute.media || !shadow.hasType(attribute.target.uid)) return undefined;
      return `${name}: ${namesOf(attribute.target).filters}`;
    case 'component':
      if (!shadow.hasType(attribute.component.uid)) return undefined;
      return `${name}: ${componentNames(attribute.component).filters}`;
    case 'zone':
      if (!shadow.zoneFilters || zoneMembers(attribute, shadow).length === 0) return undefined;
      return `${name}: ${zoneFiltersName(model, attribute)}`;
    case 'morph':
    case 'morphed':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

function inputFields(model: ContentType | Component, shadow: Shadow): readonly string[] {
  const id = model.kind === 'component' && shadow.hasField(model.uid, 'id', 'input') ? ['id: ID'] : [];
  const fields = [...model.attributes.values()].flatMap((attribute) => {
    if (!attribute.writable || !shadow.hasField(model.uid, attribute.name, 'input')) return [];
    return inputField(model, attribute, shadow) ?? [];
  });
  return [...id, ...fields];
}

/** Undefined for attributes that GraphQL cannot write: morphs, and relations to omitted types. */
function inputField(model: ContentType | Component, attribute: Attribute, shadow: Shadow): string | undefined {
  const { name } = attribute;
  switch (attribute.kind) {
    case 'scalar':
      return scalarField(model, attribute);
    case 'relation':
      if (!shadow.hasType(attribute.target.uid)) return undefined;
      return `${name}: ${attribute.many ? '[ID]' : 'ID'}`;
    case 'component': {
      if (!shadow.hasType(attribute.component.uid)) return undefined;
      const { input } = componentNames(attribute.component);
      return `${name}: ${attribute.repeatable ? `[${input}]` : input}`;
    }
    case 'zone':
      return `${name}: [${zoneInputName(model, attribute)}!]`;
    case 'morph':
    case 'morphed':
      return undefined;
    default:
      return attribute satisfies never;
  }
}
