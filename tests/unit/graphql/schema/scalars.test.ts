import { describe, expect, test } from '@jest/globals';
import { parseValue, type GraphQLScalarType } from 'graphql';
import type { ZoneAttribute } from '../../../../src/content-types/model/types.js';
import {
  dateScalar,
  dateTimeScalar,
  jsonScalar,
  longScalar,
  timeScalar,
  zoneInputScalar,
} from '../../../../src/graphql/schema/scalars/scalar-resolvers.js';
import { localeScalar } from '../../../../src/plugins/i18n/graphql.js';

const component = (uid: string) => ({ kind: 'component', uid, displayName: uid, attributes: new Map() }) as const;
const zone = {
  components: new Map([
    ['blocks.text', component('blocks.text')],
    ['blocks.big-quote', component('blocks.big-quote')],
  ]),
} as unknown as ZoneAttribute;
const zoneScalar = zoneInputScalar('ArticleBlocksDynamicZoneInput', zone);
const unknownComponent = 'Component not found. expected one of: ComponentBlocksText, ComponentBlocksBigQuote';
const locale = localeScalar((code) => code === 'klingon');

const literal = (scalar: GraphQLScalarType, text: string): unknown => scalar.parseLiteral(parseValue(text));
const notADate = (value: string): string => `Date cannot represent an invalid date-string ${value}.`;
const noMoment = (value: string): string => `DateTime cannot represent an invalid date-time-string ${value}.`;
const noTime = 'Invalid time format, expected HH:mm:ss.SSS';

describe('a value in a document', () => {
  test.each([
    [dateScalar, '"2024-02-29"', '2024-02-29'],
    [dateTimeScalar, '"2024-02-29T15:45:30.123Z"', new Date('2024-02-29T15:45:30.123Z')],
    [dateTimeScalar, '"2024-02-29t15:45:30+02:00"', new Date('2024-02-29T13:45:30.000Z')],
    [timeScalar, '"07:08:09"', '07:08:09.000'],
    [longScalar, '9223372036854775807', 9_223_372_036_854_775_807n],
    [longScalar, '"-5"', -5n],
    [jsonScalar, '{ a: [1, "b", true, null] }', { a: [1, 'b', true, null] }],
    [zoneScalar, '{ __typename: "ComponentBlocksText", content: "x" }', { __component: 'blocks.text', content: 'x' }],
    [locale, '"fr"', 'fr'],
    [locale, '"pt-BR"', 'pt-BR'],
    [locale, '"all"', 'all'],
    [locale, '"klingon"', 'klingon'],
  ])('of %s: %s', (scalar, text, value) => {
    expect(literal(scalar, text)).toEqual(value);
  });

  test.each([
    [dateScalar, '"2023-02-31"', notADate('2023-02-31')],
    [dateScalar, '"2023-02-03T00:00:00Z"', notADate('2023-02-03T00:00:00Z')],
    [dateScalar, '5', 'Date cannot represent non string type 5'],
    [dateTimeScalar, '"2023-13-45"', noMoment('2023-13-45')],
    [dateTimeScalar, '"2023-02-30T00:00:00Z"', noMoment('2023-02-30T00:00:00Z')],
    [dateTimeScalar, '"2023-02-03T00:00:00"', noMoment('2023-02-03T00:00:00')],
    [timeScalar, '"07:30"', noTime],
    [timeScalar, '7', 'Time cannot represent non string type'],
    [longScalar, '1.5', 'Long cannot represent non-integer value: 1.5'],
    [longScalar, '"007"', 'Long cannot represent non-integer value: 007'],
    [longScalar, '{ a: 1 }', 'Long cannot represent non-integer value: {a: 1}'],
    [zoneScalar, '{ content: "x" }', unknownComponent],
    [zoneScalar, '{ __component: "blocks.text" }', unknownComponent],
    [locale, '"xx"', 'Unknown locale supplied'],
    [locale, '""', 'Unknown locale supplied'],
    [locale, '5', 'Locale cannot represent non string type'],
  ])('is refused by %s: %s', (scalar, text, message) => {
    expect(() => literal(scalar, text)).toThrow(message);
  });

  test('that is not an object is refused as a component of a zone', () => {
    expect(literal(zoneScalar, '"text"')).toBeUndefined();
  });
});

describe('a value of a variable', () => {
  test.each([
    [dateScalar, '2024-02-29', '2024-02-29'],
    [longScalar, 42, 42n],
    [longScalar, '9007199254740993', 9_007_199_254_740_993n],
    [zoneScalar, { __typename: 'ComponentBlocksBigQuote' }, { __component: 'blocks.big-quote' }],
    // As in Strapi v4: the read of entries reports an unknown locale.
    [locale, 'xx', 'xx'],
  ])('of %s: %j', (scalar, input, value) => {
    expect(scalar.parseValue(input)).toEqual(value);
  });

  test.each([
    [dateScalar, 5, 'Date cannot represent non string type 5'],
    [dateTimeScalar, {}, 'DateTime cannot represent non string or Date type {}'],
    [longScalar, 2 ** 60, 'Long cannot represent the number 1152921504606847000 exactly'],
    [longScalar, [1], 'Long cannot represent non-integer value: [1]'],
    [zoneScalar, 'text', unknownComponent],
    [zoneScalar, null, unknownComponent],
  ])('is refused by %s: %j', (scalar, input, message) => {
    expect(() => scalar.parseValue(input)).toThrow(message);
  });
});

describe('a value in a response', () => {
  test.each([
    [dateScalar, '2024-02-29', '2024-02-29'],
    [dateTimeScalar, new Date('2024-02-29T15:45:30.123Z'), '2024-02-29T15:45:30.123Z'],
    // REST's format of a timestamp.
    [dateTimeScalar, '1709221530123', '2024-02-29T15:45:30.123Z'],
    [timeScalar, '07:08:09.000', '07:08:09.000'],
    [longScalar, '9007199254740991', 9_007_199_254_740_991],
    [longScalar, '9007199254740993', '9007199254740993'],
    [jsonScalar, [1, null], [1, null]],
  ])('of %s: %j', (scalar, stored, value) => {
    expect(scalar.serialize(stored)).toEqual(value);
  });
});
