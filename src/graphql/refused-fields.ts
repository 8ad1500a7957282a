import { defaultFieldResolver, isObjectType, type GraphQLSchema } from 'graphql';
import type { Registry } from '../content-types/model/types.js';
import { AppError } from '../errors/app-error.js';
import { typeName } from '../content-types/model/type-name.js';
import { namesOf } from '../plugins/contract/graphql/names.js';
import type { GraphqlProject } from '../plugins/contract/graphql/project.js';
import type { GraphqlParts, GraphqlResolver } from '../plugins/contract/graphql/parts.js';
import type { RestGuard } from '../plugins/contract/access/policy-request.js';
import type { Used } from './extension/extension.js';
import { ownedFields } from './extension/owned-fields.js';
import { generateSchema, type GeneratedSchema } from './schema/generate.js';
import { makeSchema } from './schema/make-schema.js';
import { applyRules } from './schema/rules.js';
import type { SchemaShape } from './schema/shape.js';
import { v4Form } from './schema/v4-form.js';

interface Guarding {
  readonly registry: Registry;
  /** Code of the project in the schema of Strapi v4. */
  readonly used: Used;
  /** The additions of plugins to that schema. */
  readonly parts: readonly GraphqlParts[];
  readonly project: GraphqlProject | undefined;
  /** Code before or in place of actions over REST. */
  readonly restGuards: readonly RestGuard[];
}

/**
 * The fields of a schema in another form that it must refuse, because code of the project guards, changes or answers
 * the same for Strapi v4: the code knows the types and arguments of that alone.
 */
export function refusedFields(
  schema: GraphQLSchema,
  { query, mutation, contentTypes, components }: GeneratedSchema,
  shape: SchemaShape,
  { restGuards, ...guarding }: Guarding,
): ReadonlySet<string> {
  const { registry, used } = guarding;
  const owned = ownedPaths(guarding);
  const isAnyOwned = isWrapped(used);
  const actions = new Set([...ownedActions(registry, owned), ...restGuards.map(({ action }) => action)]);
  const roots = [
    ...[...query].map(([name, field]) => [`Query.${name}`, field] as const),
    ...[...mutation].map(([name, field]) => [`Mutation.${name}`, field] as const),
  ].filter(([, { type, action }]) => isAnyOwned || actions.has(action) || isOwnedAround(type, owned));
  const relations = [...contentTypes, ...components].flatMap(([name, model]) =>
    [...shape.fieldsOf(model)]
      .filter(([, { attribute }]) => owned.has(`${name}.${attribute.name}`) || isOwnedAround(attribute.target, owned))
      .map(([field]) => `${name}.${field}`),
  );
  const parts = isAnyOwned
    ? fieldsOf(schema, ['Query', 'Mutation'])
    : fieldsOf(schema).filter((path) => owned.has(path));
  return new Set([...roots.map(([path]) => path), ...relations, ...parts]);
}

/** The fields with code of the project, by their paths in the schema of Strapi v4. */
export function ownedPaths({
  registry,
  used,
  parts,
  project,
}: Pick<Guarding, 'registry' | 'used' | 'parts' | 'project'>): ReadonlySet<string> {
  const { extensions } = used;
  const { configs, resolved } = ownedFields(extensions);
  return new Set([
    ...[...configs]
      .filter(([, { auth, ...config }]) => auth !== false || Object.keys(config).length > 0)
      .map(([path]) => path),
    ...resolved,
    ...(extensions.some(({ types }) => types !== undefined) ? definedFields(registry, parts, used) : []),
    ...Object.keys(project?.mutations ?? {}).map((name) => `Mutation.${name}`),
  ]);
}

/** Whether a nexus plugin may have wrapped any field. */
export const isWrapped = ({ extensions }: Used): boolean => extensions.some(({ plugins = [] }) => plugins.length > 0);

/** The fields that types of the project define in the schema of Strapi v4, also in place of generated ones. */
function definedFields(registry: Registry, parts: readonly GraphqlParts[], { addTypes }: Used): readonly string[] {
  const { typeDefs, resolvers } = generateSchema(
    registry,
    parts.flatMap(({ rules = [] }) => rules),
  );
  const definitions = [typeDefs, ...parts.map((part) => part.typeDefs)];
  const generated = makeSchema(definitions, [resolvers, ...parts.map((part) => part.resolvers)]);
  // The types of the project are added to it in place.
  const before = new Map(fieldsOf(generated).map((path) => [path, fieldAt(generated, path)]));
  const extended = addTypes(generated);
  return fieldsOf(extended).filter((path) => fieldAt(extended, path) !== before.get(path));
}

/** The actions whose root fields in the schema of Strapi v4 have code. */
function ownedActions({ contentTypes }: Registry, owned: ReadonlySet<string>): readonly string[] {
  const form = v4Form(applyRules([]));
  return [...contentTypes.values()].flatMap((type) => {
    const { query, mutation } = form.rootFields(type);
    return [
      ...query.filter(({ name }) => owned.has(`Query.${name}`)),
      ...mutation.filter(({ name }) => owned.has(`Mutation.${name}`)),
    ].map(({ action }) => `${type.uid}.${action}`);
  });
}

/** Whether code stands around all entries of a type: in the types that only Strapi v4 has around them. */
export function isOwnedAround(type: Parameters<typeof namesOf>[0], owned: ReadonlySet<string>): boolean {
  const { entity, response, collection, relationCollection } = namesOf(type);
  const around = new Set([entity, response, collection, relationCollection]);
  return [...owned].some((path) => around.has(path.split('.')[0] ?? ''));
}

const fieldsOf = (schema: GraphQLSchema, only?: readonly string[]): readonly string[] =>
  Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && only?.includes(type.name) !== false
      ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`)
      : [],
  );

/** Makes these fields answer that they are refused. */
export function refuseFields(schema: GraphQLSchema, paths: ReadonlySet<string>): void {
  for (const path of paths) {
    const field = fieldAt(schema, path);
    if (field === undefined) continue;
    field.resolve = () => {
      throw new AppError('forbidden', 'Forbidden access: code of the project guards this elsewhere');
    };
  }
}

/**
 * Refuses fields of types whose reads code of the project observes by lifecycles, which it can begin to do at any time:
 * it can change what they find.
 */
export function refuseObserved(
  schema: GraphQLSchema,
  { query, mutation }: Pick<GeneratedSchema, 'query' | 'mutation'>,
  project: GraphqlProject,
): void {
  for (const [root, fields] of [
    ['Query', query],
    ['Mutation', mutation],
  ] as const) {
    for (const [name, { type }] of fields) {
      const field = fieldAt(schema, `${root}.${name}`);
      const resolve = (field?.resolve ?? defaultFieldResolver) as GraphqlResolver;
      if (field === undefined) continue;
      field.resolve = (source, args, context, info) => {
        if ((['find', 'findOne'] as const).some((action) => project.isObserved(type.uid, action)))
          throw new AppError(
            'badRequest',
            `Code of the project observes reads of ${typeName(type)}, which has no effect here`,
          );
        return resolve(source, args, context, info);
      };
    }
  }
}

function fieldAt(schema: GraphQLSchema, path: string) {
  const [typeName = '', name = ''] = path.split('.');
  const type = schema.getType(typeName);
  return isObjectType(type) ? type.getFields()[name] : undefined;
}
