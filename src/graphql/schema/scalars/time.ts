import { GraphQLScalarType, Kind } from 'graphql';
import { parseTimeOfDay } from '../../../content-types/model/dates.js';
import { AppError } from '../../../errors/app-error.js';

/** A time of day, `09:30:00.000`: a string both ways. */
export const timeScalar = new GraphQLScalarType({
  name: 'Time',
  description: 'A time string with format HH:mm:ss.SSS',
  serialize: parseTimeOfDay,
  parseValue: parseTimeOfDay,
  parseLiteral: (node) => {
    if (node.kind !== Kind.STRING) throw new AppError('invalidValue', 'Time cannot represent non string type');
    return parseTimeOfDay(node.value);
  },
});
