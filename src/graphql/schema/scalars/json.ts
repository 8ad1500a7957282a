import { GraphQLScalarType } from 'graphql';

const specifiedByURL = 'http://www.ecma-international.org/publications/files/ECMA-ST/ECMA-404.pdf';

/** Any JSON value, as it is. */
export const jsonScalar = new GraphQLScalarType({
  name: 'JSON',
  description: `The \`JSON\` scalar type represents JSON values as specified by [ECMA-404](${specifiedByURL}).`,
  specifiedByURL,
});
