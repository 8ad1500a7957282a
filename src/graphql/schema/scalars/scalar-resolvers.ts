import type { IResolvers } from '@graphql-tools/utils';
import { GraphQLScalarType, Kind, GraphQLError, print, valueFromASTUntyped } from 'graphql';
import { isRecord } from '../../../config/record.js';
import type { Component, ContentType, ZoneAttribute } from '../../../content-types/model/types.js';
import { zoneInputName, componentNames } from '../../../plugins/contract/graphql/names.js';
import type { collectEnums } from '../enums.js';
import { parseTimeOfDay, parseDay, parseDateTime, writeDateTime } from '../../../content-types/model/dates.js';
import { AppError } from '../../../errors/app-error.js';
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
const textScalar = ({ name, description, serialize, parse, otherType }: TextScalar): GraphQLScalarType =>
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

/** Resolvers of scalars and enums. */
export function scalarResolvers(
  types: readonly (ContentType | Component)[],
  enums: ReturnType<typeof collectEnums>,
): IResolvers {
  const resolvers: IResolvers = {
    Date: dateScalar,
    DateTime: dateTimeScalar,
    JSON: jsonScalar,
    Long: longScalar,
    Time: timeScalar,
  };
  for (const [name, values] of enums) resolvers[name] = Object.fromEntries(values);
  for (const type of types) {
    for (const attribute of type.attributes.values()) {
      if (attribute.kind === 'zone') {
        const input = zoneInputName(type, attribute);
        resolvers[input] = zoneInputScalar(input, attribute);
      }
    }
  }
  return resolvers;
}

const specifiedByURL = 'http://www.ecma-international.org/publications/files/ECMA-ST/ECMA-404.pdf';

/** Any JSON value, unchanged. */
export const jsonScalar = new GraphQLScalarType({
  name: 'JSON',
  description: `The \`JSON\` scalar type represents JSON values as specified by [ECMA-404](${specifiedByURL}).`,
  specifiedByURL,
});

/** A time of day, `09:30:00.000`: a string in both directions. */
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

const FULL_DATE = /^\d{4}-\d{2}-\d{2}$/;

function checkDay(value: string): string {
  try {
    if (FULL_DATE.test(value)) return parseDay(value);
  } catch {
    // Reported below.
  }
  throw new GraphQLError(`Date cannot represent an invalid date-string ${value}.`);
}

/** A day, `2023-01-15`: a string in both directions. */
export const dateScalar = textScalar({
  name: 'Date',
  description:
    'A date string, such as 2007-12-03, compliant with the `full-date` format outlined in section 5.6 of the RFC 3339 ' +
    'profile of the ISO 8601 standard for representation of dates and times using the Gregorian calendar.',
  serialize: (value) => checkDay(String(value)),
  parse: checkDay,
  otherType: 'Date cannot represent non string type',
});

/** RFC 3339: with seconds and a zone. */
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

function readDateTime(value: string): Date {
  const text = value.toUpperCase();
  try {
    if (DATE_TIME.test(text)) return parseDateTime(text);
  } catch {
    // Reported below.
  }
  throw new GraphQLError(`DateTime cannot represent an invalid date-time-string ${value}.`);
}

/**
 * A date-time as entries have it, on a day that each month has: a page has dozens, and parsing one takes longer than
 * this.
 */
const usualDateTime = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

const isWritten = (value: unknown): boolean =>
  typeof value === 'string' && (usualDateTime.test(value) || writeDateTime(new Date(value)) === value);

/** A timestamp: an ISO string; code gets a date. */
export const dateTimeScalar = textScalar({
  name: 'DateTime',
  description:
    'A date-time string at UTC, such as 2007-12-03T10:15:30Z, compliant with the `date-time` format outlined in ' +
    'section 5.6 of the RFC 3339 profile of the ISO 8601 standard for representation of dates and times using the ' +
    'Gregorian calendar.',
  // Entries have ISO strings, and timestamps in milliseconds.
  serialize: (value) => (isWritten(value) ? value : parseDateTime(value).toISOString()),
  parse: readDateTime,
  otherType: 'DateTime cannot represent non string or Date type',
});

/** As in Strapi v4, without leading zeros. */
const INTEGER = /^(?:0|-?[1-9]\d*)$/;

function readInteger(text: string): bigint {
  if (INTEGER.test(text)) return BigInt(text);
  throw new GraphQLError(`Long cannot represent non-integer value: ${text}`);
}

/** A 64-bit integer: a number if JSON can represent it exactly, otherwise a string; code gets a bigint. */
export const longScalar = new GraphQLScalarType({
  name: 'Long',
  description: 'The `BigInt` scalar type represents non-fractional signed whole numeric values.',
  serialize: (value) => {
    const integer = readInteger(String(value));
    return Number.isSafeInteger(Number(integer)) ? Number(integer) : String(integer);
  },
  parseValue: (value) => {
    // A number beyond 2^53 has already been rounded.
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw new GraphQLError(`Long cannot represent the number ${String(value)} exactly: write its digits as a string`);
    }
    return readInteger(typeof value === 'string' ? value : JSON.stringify(value));
  },
  parseLiteral: (node) => {
    try {
      return readInteger('value' in node ? String(node.value) : print(node));
    } catch (error) {
      throw new GraphQLError(reasonOf(error), { nodes: node });
    }
  },
});

/** The scalar that takes written components of a dynamic zone: each has its type in `__typename`. */
export function zoneInputScalar(name: string, { components }: ZoneAttribute): GraphQLScalarType {
  const uids = new Map([...components.values()].map((component) => [componentNames(component).type, component.uid]));
  const parse = (value: unknown): unknown => {
    const { __typename, ...data } = isRecord(value) ? value : {};
    const uid = typeof __typename === 'string' ? uids.get(__typename) : undefined;
    if (uid !== undefined) return { ...data, __component: uid };
    throw new AppError('application', `Component not found. expected one of: ${[...uids.keys()].join(', ')}`);
  };
  return new GraphQLScalarType({
    name,
    parseValue: parse,
    parseLiteral: (node, variables) =>
      node.kind === Kind.OBJECT ? parse(valueFromASTUntyped(node, variables)) : undefined,
  });
}
