import { attributeTypes, isScalarType, type ScalarName } from '../../../content-types/model/attribute-types.js';
import type { Component, ContentType, ScalarAttribute } from '../../../content-types/model/types.js';
import { enumName } from '../../../plugins/contract/graphql/names.js';

export const scalarName = ({ type }: ScalarAttribute): ScalarName => attributeTypes[type].graphql;

/** Undefined for types of other attributes. */
export const scalarNameOf = (type: string): ScalarName | undefined =>
  isScalarType(type) ? attributeTypes[type].graphql : undefined;

/** The field of a scalar attribute. */
export const scalarField = (model: ContentType | Component, attribute: ScalarAttribute): string =>
  `${attribute.name}: ${attribute.type === 'enumeration' ? enumName(model, attribute) : scalarName(attribute)}`;
