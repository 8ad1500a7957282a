import {
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
  type GraphQLNamedType,
  type GraphQLType,
} from 'graphql';
import type * as Nexus from 'nexus';

interface NexusParts {
  readonly types: readonly unknown[];
  readonly plugins: readonly ReturnType<typeof Nexus.plugin>[];
}

/** Adds the project's nexus types to a schema, whose types they can refer to and extend. */
export function addNexusTypes(
  schema: GraphQLSchema,
  nexus: () => typeof Nexus,
  { types, plugins }: NexusParts,
): GraphQLSchema {
  if (types.length === 0 && plugins.length === 0) return schema;
  const existing = Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
    .map((type) => asMethod(type, nexus()));
  const make = (around: readonly GraphQLNamedType[]): GraphQLSchema =>
    nexus().makeSchema({
      types: [...around, ...types],
      plugins: [...plugins],
      outputs: false,
      shouldGenerateArtifacts: false,
    });
  // Plugins apply to the fields of all types. nexus rebuilds all that it gets, so without plugins it gets names only.
  return plugins.length > 0 ? make(existing) : extendBy(schema, make(existing.map(nameOnly)));
}

/** The scalars of Strapi v4 that fields of nexus can have by a method: `t.json('settings')`. */
const scalarMethods: Readonly<Record<string, string>> = {
  JSON: 'json',
  DateTime: 'dateTime',
  Time: 'time',
  Date: 'date',
  Long: 'long',
  Upload: 'upload',
};

function asMethod(type: GraphQLNamedType, { asNexusMethod }: typeof Nexus): GraphQLNamedType {
  const method = scalarMethods[type.name];
  if (method === undefined || !isScalarType(type)) return type;
  const copy = new GraphQLScalarType(type.toConfig());
  // It marks the scalar.
  asNexusMethod(copy, method);
  return copy;
}

/** A type of the same name without references to other types. nexus refuses a union without members. */
function nameOnly(type: GraphQLNamedType): GraphQLNamedType {
  const { name } = type;
  if (isObjectType(type)) return new GraphQLObjectType({ name, fields: {} });
  if (isInputObjectType(type)) return new GraphQLInputObjectType({ name, fields: {} });
  if (isUnionType(type)) return new GraphQLScalarType({ name });
  return type;
}

/** Adds the types of another schema, and their fields to types of the same name. Changes the types of both. */
function extendBy(schema: GraphQLSchema, other: GraphQLSchema): GraphQLSchema {
  const { types, ...config } = schema.toConfig();
  const added = Object.values(other.getTypeMap()).filter(({ name }) => schema.getType(name) === undefined);
  const named = new Map([...types, ...added].map((type) => [type.name, type]));
  for (const type of Object.values(other.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    refer(type, named);
    const extended = schema.getType(type.name);
    if (isObjectType(type) && isObjectType(extended)) Object.assign(extended.getFields(), type.getFields());
    if (isInputObjectType(type) && isInputObjectType(extended)) Object.assign(extended.getFields(), type.getFields());
  }
  const [query, mutation, subscription] = ['Query', 'Mutation', 'Subscription'].map(
    (name) => named.get(name) as GraphQLObjectType | undefined,
  );
  return new GraphQLSchema({ ...config, query, mutation, subscription, types: [...named.values()] });
}

type Named = ReadonlyMap<string, GraphQLNamedType>;

/** Makes a type refer to the types of these names. */
function refer(type: GraphQLNamedType, named: Named): void {
  if (isUnionType(type)) replaceAll(type.getTypes(), named);
  if (isInputObjectType(type))
    for (const field of Object.values(type.getFields())) field.type = typeOf(field.type, named);
  if (!isObjectType(type) && !isInterfaceType(type)) return;
  replaceAll(type.getInterfaces(), named);
  for (const field of Object.values(type.getFields())) {
    field.type = typeOf(field.type, named);
    for (const argument of field.args) argument.type = typeOf(argument.type, named);
  }
}

function replaceAll(types: readonly GraphQLNamedType[], named: Named): void {
  (types as GraphQLNamedType[]).splice(0, types.length, ...types.map((type) => typeOf(type, named)));
}

function typeOf<T extends GraphQLType>(type: T, named: Named): T;
function typeOf(type: GraphQLType, named: Named): GraphQLType {
  if (isListType(type)) return new GraphQLList(typeOf(type.ofType, named));
  if (isNonNullType(type)) return new GraphQLNonNull(typeOf(type.ofType, named));
  return named.get(type.name) ?? type;
}
