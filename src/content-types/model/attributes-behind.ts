import type { Attribute, Attributes } from './types.js';

/** The attributes that can follow this one in a path; undefined if the path ends here, or its target is not unique. */
export function attributesBehind(attribute: Attribute | undefined): Attributes | undefined {
  switch (attribute?.kind) {
    case 'relation':
    case 'morphed':
      return attribute.target.attributes;
    case 'component':
      return attribute.component.attributes;
    case 'scalar':
    case 'zone':
    case 'morph':
    case undefined:
      return undefined;
    default:
      return attribute satisfies never;
  }
}
