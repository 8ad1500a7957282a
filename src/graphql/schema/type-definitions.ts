import type { Component, ContentType } from '../../content-types/model/types.js';
import {
  componentNames,
  namesOf,
  zoneFiltersName,
  zoneInputName,
  zoneName,
} from '../../plugins/contract/graphql/names.js';
import { inputType, objectType, unionType } from './definition.js';
import { filterFields, zoneMembers } from './filter-fields.js';
import { inputFields } from './input-fields.js';
import { keyDefinitions } from './key-input.js';
import { outputFields } from './output-fields.js';
import type { Shadow } from './rules.js';

/** All types of a content type, in SDL; unreferenced ones are pruned later. */
export function contentTypeDefinitions(model: ContentType, shadow: Shadow): readonly string[] {
  const names = namesOf(model);
  return [
    objectType({ name: names.type, fields: outputFields(model, shadow) }),
    objectType({ name: names.entity, fields: ['id: ID', `attributes: ${names.type}`] }),
    objectType({ name: names.response, fields: [`data: ${names.entity}`] }),
    objectType({
      name: names.collection,
      fields: [`data: [${names.entity}!]!`, 'meta: ResponseCollectionMeta!'],
    }),
    objectType({ name: names.relationCollection, fields: [`data: [${names.entity}!]!`] }),
    ...inputDefinitions(model, names, shadow),
    ...keyDefinitions(model, shadow),
    ...attributeDefinitions(model, shadow),
  ];
}

/** All types of a component, in SDL. */
export function componentDefinitions(model: Component, shadow: Shadow): readonly string[] {
  const names = componentNames(model);
  return [
    objectType({ name: names.type, fields: outputFields(model, shadow) }),
    ...inputDefinitions(model, names, shadow),
    ...attributeDefinitions(model, shadow),
  ];
}

const inputDefinitions = (
  model: ContentType | Component,
  { input, filters }: { readonly input: string; readonly filters: string },
  shadow: Shadow,
): readonly string[] => [
  inputType({ name: input, fields: inputFields(model, shadow) }),
  inputType({ name: filters, fields: filterFields(model, shadow) }),
];

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
            inputType({
              name: zoneFiltersName(model, attribute),
              fields: members.map(({ type, filters }) => `${type}: ${filters}`),
            }),
          ]
        : []),
    ];
  });
}
