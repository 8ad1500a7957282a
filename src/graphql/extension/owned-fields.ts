import { getNamedType, isObjectType, type GraphQLField, type GraphQLNamedType, type GraphQLSchema } from 'graphql';
import type { Component, ContentType } from '../../content-types/model/types.js';
import { namesOf } from '../../plugins/contract/graphql/names.js';
import type { GeneratedSchema } from '../schema/generate.js';
import type { GraphqlExtension, ResolverConfig, ResolversConfig } from './extension.js';

/** The fields with code of the project, by their paths: `Query.articles`. */
export interface OwnedFields {
  readonly configs: ReadonlyMap<string, ResolverConfig>;
  readonly resolved: ReadonlySet<string>;
  /**
   * Whether a field is configured or resolved: it is authorized around the resolver, before policies and middlewares.
   */
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
 * The key in a field's extensions that marks a field overridden by project code: all plain values of its parent are
 * read then; `instead` of the generated resolver, so that nothing is read for the field itself, or `around` it.
 */
export const OVERRIDDEN = 'owned';

/** The key in the extensions of an entity's type that marks entries which code of the project sees. */
const SEEN = 'seen';

/**
 * Whether code sees entries of this entity type: as in Strapi v4, with all their plain values, in responses with their
 * arguments.
 */
export const isSeen = (entity: GraphQLNamedType | undefined): boolean => entity?.extensions[SEEN] === true;

/**
 * Marks the overridden fields of content types and components, and the entities that code sees.
 * @param isWrapped a nexus plugin may have wrapped any field
 */
export function markOverridden(
  schema: GraphQLSchema,
  owned: OwnedFields,
  { contentTypes, components }: GeneratedSchema,
  isWrapped: boolean,
): void {
  markFields(
    schema,
    owned,
    { contentTypes, components },
    ({ attributes }, field) => attributes.has(field) || field === 'id',
  );
  const around = typesAround(schema, owned);
  for (const type of contentTypes.values()) {
    const { entity, response, collection, relationCollection } = namesOf(type);
    const marked = schema.getType(entity);
    const isSeenIn = (name: string): boolean => around.has(name) || fieldsOf(schema, name).some(isOwnIn(name, owned));
    if (marked !== undefined && (isWrapped || [entity, response, collection, relationCollection].some(isSeenIn)))
      marked.extensions = { ...marked.extensions, [SEEN]: true };
  }
}

/**
 * Marks the overridden fields of content types and components.
 * @param isGenerated whether a model has a field without code
 */
export function markFields(
  schema: GraphQLSchema,
  { configs, resolved }: OwnedFields,
  { contentTypes, components }: Pick<GeneratedSchema, 'contentTypes' | 'components'>,
  isGenerated: (model: ContentType | Component, field: string) => boolean,
): void {
  const markOf = (path: string, isAdded: boolean): 'instead' | 'around' | undefined => {
    if (isAdded || resolved.has(path)) return 'instead';
    return configs.has(path) ? 'around' : undefined;
  };
  for (const [name, model] of [...contentTypes, ...components]) {
    for (const field of fieldsOf(schema, name)) {
      const mark = markOf(`${name}.${field.name}`, !isGenerated(model, field.name));
      if (mark !== undefined) field.extensions = { ...field.extensions, [OVERRIDDEN]: mark };
    }
  }
}

/** The fields of entities and responses that are generated. */
const generatedFields = new Set(['id', 'attributes', 'data', 'meta']);

/** Whether code gets the parent of this field. */
const isOwnIn =
  (type: string, { configs, resolved }: OwnedFields) =>
  ({ name }: { readonly name: string }): boolean => {
    const path = `${type}.${name}`;
    const { policies = [], middlewares = [] } = configs.get(path) ?? {};
    return policies.length + middlewares.length > 0 || resolved.has(path) || !generatedFields.has(name);
  };

/** The types of the fields that middlewares stand around. */
const typesAround = (schema: GraphQLSchema, { configs }: OwnedFields): ReadonlySet<string> =>
  new Set(
    [...configs].flatMap(([path, { middlewares = [] }]) => {
      const [type = '', name] = path.split('.');
      const field = middlewares.length === 0 ? undefined : fieldsOf(schema, type).find((field) => field.name === name);
      return field === undefined ? [] : [getNamedType(field.type).name];
    }),
  );

const fieldsOf = (schema: GraphQLSchema, name: string): readonly GraphQLField<unknown, unknown>[] => {
  const type = schema.getType(name);
  return isObjectType(type) ? Object.values(type.getFields()) : [];
};
