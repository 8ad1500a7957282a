import type { Component, ContentType, ScalarAttribute, ScalarType } from '../../../content-types/model/types.js';
import { enumName } from '../../../plugins/contract/graphql/names.js';

/** The GraphQL scalars that values of attributes have. */
export type ScalarName = 'String' | 'Boolean' | 'Int' | 'Float' | 'Long' | 'JSON' | 'Date' | 'Time' | 'DateTime';

/** The scalar of each attribute type; an enumeration is one in filters only. */
const scalarNames: Readonly<Record<ScalarType, ScalarName>> = {
  string: 'String',
  text: 'String',
  richtext: 'String',
  uid: 'String',
  email: 'String',
  password: 'String',
  enumeration: 'String',
  integer: 'Int',
  biginteger: 'Long',
  decimal: 'Float',
  float: 'Float',
  boolean: 'Boolean',
  date: 'Date',
  time: 'Time',
  datetime: 'DateTime',
  timestamp: 'DateTime',
  json: 'JSON',
  blocks: 'JSON',
  array: 'JSON',
};

export const scalarName = ({ type }: ScalarAttribute): ScalarName => scalarNames[type];

/** Undefined for types of other attributes. */
export const scalarNameOf = (type: string): ScalarName | undefined =>
  type in scalarNames ? scalarNames[type as ScalarType] : undefined;

/** The field of a scalar attribute. */
export const scalarField = (model: ContentType | Component, attribute: ScalarAttribute): string =>
  `${attribute.name}: ${attribute.type === 'enumeration' ? enumName(model, attribute) : scalarName(attribute)}`;
