import { GraphQLError } from 'graphql';
import { parseDateTime, writeDateTime } from '../../../content-types/model/dates.js';
import { textScalar } from './text-scalar.js';

/** RFC 3339: with seconds and a zone. */
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

function checkDateTime(value: string): string {
  const text = value.toUpperCase();
  try {
    if (DATE_TIME.test(text)) return parseDateTime(text).toISOString();
  } catch {
    // Reported below.
  }
  throw new GraphQLError(`DateTime cannot represent an invalid date-time-string ${value}.`);
}

/** A moment: an ISO text both ways. */
export const dateTimeScalar = textScalar({
  name: 'DateTime',
  description:
    'A date-time string at UTC, such as 2007-12-03T10:15:30Z, compliant with the `date-time` format outlined in ' +
    'section 5.6 of the RFC 3339 profile of the ISO 8601 standard for representation of dates and times using the ' +
    'Gregorian calendar.',
  // A timestamp leaves the service as milliseconds.
  serialize: (value) =>
    (value instanceof Date ? writeDateTime(value) : undefined) ?? parseDateTime(value).toISOString(),
  parse: checkDateTime,
  otherType: 'DateTime cannot represent non string or Date type',
});
