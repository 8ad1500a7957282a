import { GraphQLError } from 'graphql';
import { parseDay } from '../../../content-types/model/dates.js';
import { textScalar } from './text-scalar.js';

const FULL_DATE = /^\d{4}-\d{2}-\d{2}$/;

function checkDay(value: string): string {
  try {
    if (FULL_DATE.test(value)) return parseDay(value);
  } catch {
    // Reported below.
  }
  throw new GraphQLError(`Date cannot represent an invalid date-string ${value}.`);
}

/** A day, `2023-01-15`: a string both ways. */
export const dateScalar = textScalar({
  name: 'Date',
  description:
    'A date string, such as 2007-12-03, compliant with the `full-date` format outlined in section 5.6 of the RFC 3339 ' +
    'profile of the ISO 8601 standard for representation of dates and times using the Gregorian calendar.',
  serialize: (value) => checkDay(String(value)),
  parse: checkDay,
  otherType: 'Date cannot represent non string type',
});
