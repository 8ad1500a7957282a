import { GraphQLError, GraphQLScalarType } from 'graphql';
import { UploadedFile } from '../../contract/graphql/parts.js';

/** Files as arguments. They come as variables, by the GraphQL multipart request specification, and in no other way. */
export const uploadScalar = new GraphQLScalarType({
  name: 'Upload',
  description: 'The `Upload` scalar type represents a file upload.',
  parseValue: (value) => {
    if (value instanceof UploadedFile) return value.file;
    throw new GraphQLError('Upload value invalid.');
  },
  parseLiteral: (node) => {
    throw new GraphQLError('Upload literal unsupported.', { nodes: node });
  },
  serialize: () => {
    throw new GraphQLError('Upload serialization unsupported.');
  },
});
