import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { reasonOf } from '../../../errors/reason-of.js';

interface TextScalar {
  readonly name: string;
  readonly description: string;
  readonly serialize: (value: unknown) => unknown;
  /** @throws GraphQLError */
  readonly parse: (text: string) => unknown;
  /** The message for a value that is not a string; the value follows it. */
  readonly otherType: string;
}

/** A scalar that clients write as a string. Its errors have the messages of graphql-scalars, as recorded. */
export const textScalar = ({ name, description, serialize, parse, otherType }: TextScalar): GraphQLScalarType =>
  new GraphQLScalarType({
    name,
    description,
    serialize,
    parseValue: (value) => {
      if (typeof value === 'string') return parse(value);
      throw new GraphQLError(`${otherType} ${JSON.stringify(value)}`);
    },
    parseLiteral: (node) => {
      try {
        if (node.kind === Kind.STRING) return parse(node.value);
      } catch (error) {
        throw new GraphQLError(reasonOf(error), { nodes: node });
      }
      throw new GraphQLError(`${otherType} ${'value' in node ? String(node.value) : 'undefined'}`, { nodes: node });
    },
  });
