import slugify from '@sindresorhus/slugify';
import { attributeTypes, type JsonSchema } from '../../content-types/model/attribute-types.js';
import type { ScalarAttribute } from '../../content-types/model/types.js';

export type Schema = JsonSchema;

/** The schema of values in requests. */
export function inputSchema(attribute: ScalarAttribute): Schema {
  const { answered, input } = attributeTypes[attribute.type].openApi;
  const schema = input?.(attribute) ?? answered;
  if (attribute.type !== 'uid' || attribute.regex !== undefined) return schema;
  // Without one Swagger UI makes a random text of the pattern.
  return { ...schema, example: slugify(`my ${attribute.targetField ?? attribute.name}`) };
}

/** The schema, or null. */
export function orNull(schema: Schema): Schema {
  if (Object.keys(schema).length === 0) return schema;
  const { type, enum: values } = schema;
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [type, 'null'].flat(),
    ...(Array.isArray(values) && { enum: [...(values as readonly unknown[]), null] }),
  };
}
