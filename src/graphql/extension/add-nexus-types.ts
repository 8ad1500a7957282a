import { isIntrospectionType, isSpecifiedScalarType, type GraphQLSchema } from 'graphql';
import type * as Nexus from 'nexus';

interface NexusParts {
  readonly types: readonly unknown[];
  readonly plugins: readonly ReturnType<typeof Nexus.plugin>[];
}

/** Adds the project's nexus types to a schema, whose types they may refer to and extend. */
export function addNexusTypes(
  schema: GraphQLSchema,
  nexus: typeof Nexus,
  { types, plugins }: NexusParts,
): GraphQLSchema {
  if (types.length === 0 && plugins.length === 0) return schema;
  const existingTypes = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
  return nexus.makeSchema({
    types: [...existingTypes, ...types],
    plugins: [...plugins],
    outputs: false,
    shouldGenerateArtifacts: false,
  });
}
