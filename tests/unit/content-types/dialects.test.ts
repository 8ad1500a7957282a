import { describe, expect, test } from '@jest/globals';
import { attributeTypes } from '../../../src/content-types/model/attribute-types.js';
import { dialectOf } from '../../../src/content-types/model/dialects.js';
import { link } from '../../../src/content-types/link/link.js';
import type { Attribute } from '../../../src/content-types/model/types.js';
import { contentType, define } from './define.js';

const postgres = dialectOf('postgres');
const mysql = dialectOf('mysql');

describe('the collation of a dialect', () => {
  const shifted = { strength: 5, alternate: 'shifted', maxVariable: 'punct' };

  test.each([
    ['sqlite', 'case_sensitive_like', undefined],
    ['sqlite', 'like', undefined],
    ['postgres', 'en_US', { locale: 'en', ...shifted }],
    ['postgres', 'de_DE.UTF-8', { locale: 'de', ...shifted }],
    ['postgres', 'icu:sv', { locale: 'sv', strength: 5 }],
    ['postgres', 'C', undefined],
    ['postgres', 'C.UTF-8', undefined],
    ['mysql', '0900_ai_ci', { locale: 'en', strength: 1 }],
    ['mysql', 'utf8mb4_general_ci', { locale: 'en', strength: 1 }],
    ['mysql', 'utf8mb4_uca1400_nopad_ai_ci', { locale: 'en', strength: 1 }],
    ['mysql', 'utf8mb4_0900_as_ci', { locale: 'en', strength: 2 }],
    ['mysql', '0900_as_cs', { locale: 'en', strength: 3 }],
    ['mysql', 'utf8mb4_bin', undefined],
  ] as const)('%s with %s', (database, name, collation) => {
    expect(dialectOf(database, name).collation).toEqual(collation);
  });

  test.each([
    ['sqlite', '__proto__'],
    ['postgres', 'utf8mb4_bin'],
    ['mysql', 'en_US'],
  ] as const)('%s has none that is called %s', (database, name) => {
    expect(() => dialectOf(database, name)).toThrow(`STRAPI_DATABASE_COLLATION is "${name}"`);
  });
});

describe('a decimal is stored with two places', () => {
  test.each([
    [1.005, 1.01],
    [2.675, 2.68],
    [-1.005, -1.01],
    [33.333, 33.33],
    [99_999_999.99, 99_999_999.99],
    [-0.001, 0],
    [1e-7, 0],
    [5, 5],
  ])('%d as %d', (written, stored) => {
    expect(attributeTypes.decimal.encode(written, postgres)).toBe(stored);
    expect(attributeTypes.decimal.encode(written, mysql)).toBe(stored);
    expect(attributeTypes.float.encode(written, postgres)).toBe(written);
    expect(attributeTypes.decimal.encode(written, dialectOf('sqlite'))).toBe(written);
  });
});

test.each([
  ['10:00:00.000', '10:00:00'],
  ['10:00:00.120', '10:00:00.12'],
  ['23:59:59.999', '23:59:59.999'],
])('PostgreSQL writes the time %s as %s', (stored, written) => {
  expect(attributeTypes.time.decode?.(stored, postgres)).toBe(written);
  expect(attributeTypes.time.decode?.(stored, mysql)).toBe(stored);
});

test('PostgreSQL stores the keys of JSON objects by length, then by bytes', () => {
  const value = { zz: 1, ä: 2, a: [{ bb: new Date(0), b: null }], é: 3 };
  expect(attributeTypes.json.encode(value, postgres)).toBe(
    '{"a":[{"b":null,"bb":"1970-01-01T00:00:00.000Z"}],"zz":1,"ä":2,"é":3}',
  );
  expect(attributeTypes.json.encode({ b: 1, a: 2 }, mysql)).toBe('{"b":1,"a":2}');
});

describe('the largest values', () => {
  const schemaOf = (definition: { type: string; max?: number; maxLength?: number }, dialect = postgres): unknown => {
    const { contentTypes } = link({ ...define(contentType('thing', { it: definition })), dialect });
    const attribute = contentTypes.get('api::thing.thing')?.attributes.get('it') as Attribute & { kind: 'scalar' };
    return attributeTypes[attribute.type].schema(attribute);
  };

  test('are those of the columns of Strapi v4', () => {
    expect(schemaOf({ type: 'string' })).toMatchObject({ maxLength: 255 });
    expect(schemaOf({ type: 'string', maxLength: 3 })).toMatchObject({ maxLength: 3 });
    expect(schemaOf({ type: 'string', maxLength: 300 })).toMatchObject({ maxLength: 255 });
    expect(schemaOf({ type: 'integer' })).toMatchObject({ minimum: -2_147_483_647, maximum: 2_147_483_647 });
    expect(schemaOf({ type: 'integer', max: 5 })).toMatchObject({ maximum: 5 });
    expect(schemaOf({ type: 'decimal' })).toMatchObject({ minimum: -99_999_999.99, maximum: 99_999_999.99 });
  });

  test.each(['text', 'richtext', 'password', 'float'])('a %s has none', (type) => {
    expect(schemaOf({ type })).not.toHaveProperty('maxLength');
    expect(schemaOf({ type })).not.toHaveProperty('maximum');
  });

  test('SQLite has none', () => {
    expect(schemaOf({ type: 'string' }, dialectOf('sqlite'))).not.toHaveProperty('maxLength');
    expect(schemaOf({ type: 'integer' }, dialectOf('sqlite'))).not.toHaveProperty('maximum');
  });
});
