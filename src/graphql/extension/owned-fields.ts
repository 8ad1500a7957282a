import { isObjectType, type GraphQLObjectType, type GraphQLSchema } from 'graphql';
import { namesOf } from '../../plugins/contract/graphql/names.js';
import type { GeneratedSchema } from '../schema/generate.js';
import type { GraphqlExtension, ResolverConfig, ResolversConfig } from './extension.js';

/** The fields with code of the project, by their paths: `Query.articles`. */
export interface OwnedFields {
  readonly configs: ReadonlyMap<string, ResolverConfig>;
  readonly resolved: ReadonlySet<string>;
  /** Whether a field is configured or resolved: it is authorized around the resolver, before policies and middlewares. */
  readonly isOwned: (path: string) => boolean;
}

export function ownedFields(extensions: readonly GraphqlExtension[]): OwnedFields {
  const configs = new Map(extensions.flatMap(({ resolversConfig = {} }) => byPath(resolversConfig)));
  const resolved = new Set(extensions.flatMap(({ resolvers = {} }) => pathsOf(resolvers)));
  return { configs, resolved, isOwned: (path) => configs.has(path) || resolved.has(path) };
}

export const pathsOf = (resolvers: Readonly<Record<string, object>>): readonly string[] =>
  Object.entries(resolvers).flatMap(([type, fields]) => Object.keys(fields).map((field) => `${type}.${field}`));

/** `{ 'Query.articles': … }` and `{ Query: { articles: … } }` are the same. */
const byPath = (configs: ResolversConfig): readonly (readonly [string, ResolverConfig])[] =>
  Object.entries(configs).flatMap(([name, config]) =>
    name.includes('.')
      ? [[name, config as ResolverConfig] as const]
      : Object.entries(config as Readonly<Record<string, ResolverConfig>>).map(
          ([field, own]) => [`${name}.${field}`, own] as const,
        ),
  );

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
