import { isObjectType, type GraphQLObjectType, type GraphQLSchema } from 'graphql';
import { namesOf } from '../../plugins/contract/graphql/names.js';
import type { GeneratedSchema } from '../schema/generate.js';
import type { OwnedFields } from './owned-fields.js';

/**
 * The key in a field's extensions that marks a field overridden by project code: all plain values of its parent are read
 * then; `instead` of the generated resolver, so that nothing is read for the field itself, or `around` it.
 */
export const OVERRIDDEN = 'owned';

/** Marks the overridden fields of content types and components. As in Strapi v4, their parent's values include its id. */
export function markOverridden(
  schema: GraphQLSchema,
  { configs, resolved }: OwnedFields,
  { contentTypes, components }: GeneratedSchema,
): void {
  for (const [name, { attributes }] of [...contentTypes, ...components]) {
    const type = schema.getType(name);
    if (!isObjectType(type)) continue;
    const markOf = (field: string): 'instead' | 'around' | undefined => {
      const path = `${name}.${field}`;
      const isAdded = !attributes.has(field) && field !== 'id';
      if (isAdded || resolved.has(path)) return 'instead';
      return configs.has(path) ? 'around' : undefined;
    };
    const owned = Object.values(type.getFields()).flatMap((field) => {
      const mark = markOf(field.name);
      return mark === undefined ? [] : [{ field, mark }];
    });
    for (const { field, mark } of owned) field.extensions = { ...field.extensions, [OVERRIDDEN]: mark };
    const content = contentTypes.get(name);
    const entity = owned.length > 0 && content !== undefined ? schema.getType(namesOf(content).entity) : undefined;
    if (isObjectType(entity)) addIds(entity);
  }
}

function addIds(entity: GraphQLObjectType): void {
  const { attributes } = entity.getFields();
  const valuesOf = attributes?.resolve;
  if (attributes === undefined || valuesOf === undefined) return;
  attributes.resolve = (entity: { readonly id: unknown }, ...rest) => ({
    ...(valuesOf(entity, ...rest) as object),
    id: entity.id,
  });
}
