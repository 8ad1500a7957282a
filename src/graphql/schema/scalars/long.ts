import { GraphQLError, GraphQLScalarType, print } from 'graphql';
import { reasonOf } from '../../../errors/reason-of.js';

const INTEGER = /^-?\d+$/;

/** Digits are passed on unchanged: JavaScript numbers cannot represent all of them. */
function checkDigits(text: string): string {
  if (INTEGER.test(text)) return text;
  throw new GraphQLError(`Long cannot represent non-integer value: ${text}`);
}

/** A 64-bit integer: a number as far as JSON can be exact, else a string. */
export const longScalar = new GraphQLScalarType({
  name: 'Long',
  description: 'The `BigInt` scalar type represents non-fractional signed whole numeric values.',
  serialize: (value) => {
    const digits = checkDigits(String(value));
    return Number.isSafeInteger(Number(digits)) ? Number(digits) : digits;
  },
  parseValue: (value) => {
    // A number beyond 2^53 was rounded before it came.
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw new GraphQLError(`Long cannot represent the number ${String(value)} exactly: write its digits as a string`);
    }
    return checkDigits(typeof value === 'string' ? value : JSON.stringify(value));
  },
  parseLiteral: (node) => {
    try {
      return checkDigits('value' in node ? String(node.value) : print(node));
    } catch (error) {
      throw new GraphQLError(reasonOf(error), { nodes: node });
    }
  },
});
