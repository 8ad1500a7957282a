import type { Attribute, Component, ContentType } from '../../content-types/model/types.js';
import {
  componentNames,
  enumName,
  namesOf,
  typeName,
  zoneInputName,
  zoneName,
  type TypeNames,
} from '../../plugins/contract/graphql/names.js';

type Any = ContentType | Component;

const name =
  (key: keyof TypeNames) =>
  (of: ContentType): string =>
    namesOf(of)[key];

/** An attribute of this kind. @throws Error when there is none */
function attributeOf<K extends Attribute['kind']>(
  { uid, attributes }: Any,
  attributeName: string,
  kind: K,
): Extract<Attribute, { readonly kind: K }> {
  const attribute = attributes.get(attributeName);
  if (attribute?.kind === kind) return attribute as Extract<Attribute, { readonly kind: K }>;
  throw new Error(`${uid} has no attribute ${attributeName} of this kind (${kind})`);
}

/** Strapi v4's `service('utils').naming`, for content types and components of our registry. */
export const naming = {
  getTypeName: typeName,
  getEntityName: name('entity'),
  getEntityResponseName: name('response'),
  getEntityResponseCollectionName: name('collection'),
  getRelationResponseCollectionName: name('relationCollection'),
  getContentTypeInputName: name('input'),
  getFiltersInputTypeName: (of: Any): string => (of.kind === 'component' ? componentNames(of) : namesOf(of)).filters,
  getScalarFilterInputTypeName: (scalar: string): string => `${scalar}FilterInput`,
  getFindOneQueryName: name('findOne'),
  getFindQueryName: name('find'),
  getCreateMutationTypeName: name('create'),
  getUpdateMutationTypeName: name('update'),
  getDeleteMutationTypeName: name('delete'),
  getComponentName: (of: Component): string => componentNames(of).type,
  getComponentInputName: (of: Component): string => componentNames(of).input,
  getEnumName: (of: Any, attribute: string): string => enumName(of, attributeOf(of, attribute, 'scalar')),
  getDynamicZoneName: (of: Any, attribute: string): string => zoneName(of, attributeOf(of, attribute, 'zone')),
  getDynamicZoneInputName: (of: Any, attribute: string): string =>
    zoneInputName(of, attributeOf(of, attribute, 'zone')),
};
