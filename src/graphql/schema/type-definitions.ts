import type { Component, ContentType } from '../../content-types/model/types.js';
import { componentNames, namesOf, zoneInputName, zoneName } from '../../plugins/contract/graphql/names.js';
import { inputType, objectType, unionType } from './definition.js';
import { filterFields } from './filter-fields.js';
import { inputFields } from './input-fields.js';
import { outputFields } from './output-fields.js';
import type { Shadow } from './rules.js';

/** All types of a content type, in SDL; what nothing refers to is pruned later. */
export function contentTypeDefinitions(of: ContentType, shadow: Shadow): readonly string[] {
  const names = namesOf(of);
  return [
    objectType({ name: names.type, fields: outputFields(of, shadow) }),
    objectType({ name: names.entity, fields: ['id: ID', `attributes: ${names.type}`] }),
    objectType({ name: names.response, fields: [`data: ${names.entity}`] }),
    objectType({
      name: names.collection,
      fields: [`data: [${names.entity}!]!`, 'meta: ResponseCollectionMeta!'],
    }),
    objectType({ name: names.relationCollection, fields: [`data: [${names.entity}!]!`] }),
    ...inputDefinitions(of, names, shadow),
    ...attributeDefinitions(of, shadow),
  ];
}

/** All types of a component, in SDL. */
export function componentDefinitions(of: Component, shadow: Shadow): readonly string[] {
  const names = componentNames(of);
  return [
    objectType({ name: names.type, fields: outputFields(of, shadow) }),
    ...inputDefinitions(of, names, shadow),
    ...attributeDefinitions(of, shadow),
  ];
}

const inputDefinitions = (
  of: ContentType | Component,
  { input, filters }: { readonly input: string; readonly filters: string },
  shadow: Shadow,
): readonly string[] => [
  inputType({ name: input, fields: inputFields(of, shadow) }),
  inputType({ name: filters, fields: filterFields(of, shadow) }),
];

/** The unions of dynamic zones, and the scalars that write them. */
function attributeDefinitions(of: ContentType | Component, shadow: Shadow): readonly string[] {
  return [...of.attributes.values()].flatMap((attribute) => {
    if (attribute.kind !== 'zone') return [];
    const members = [...attribute.components.values()].filter(({ uid }) => shadow.hasType(uid));
    return [
      unionType(zoneName(of, attribute), [...members.map((member) => componentNames(member).type), 'Error']),
      `scalar ${zoneInputName(of, attribute)}`,
    ];
  });
}
