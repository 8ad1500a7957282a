import type { Attribute } from './types.js';

/** The attributes that a path may name behind this one; undefined where it ends, or has no single answer. */
export function attributesBehind(attribute: Attribute | undefined): ReadonlyMap<string, Attribute> | undefined {
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
