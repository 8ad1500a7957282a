import type { ScalarAttribute, ScalarType } from '../../src/content-types/model/types.js';

const texts = ['', 'Ada', 'ada', 'Ada Marsh', 'adam', 'a.a', 'aaa', 'a%', 'a_', '%', 'Élan', 'élan', 'ß', '[x]', '^a$', 'a\\', 'two\nlines', 'Ada\n', '/ada', 'AB-123', '𝄞', '\uFFFD', 'a\0b']; // prettier-ignore
const numbers = [-3, 0, 1, 2, 2.5, 4, 10, 99.5];
const integers = numbers.filter((number) => Number.isInteger(number));
const documents = [{ a: 1 }, { a: 'Ada' }, [], [1, 'two'], 'Ada', 1, true];

/** Few values of each type, so that entries and filters meet: as a client writes them. */
const pools: Readonly<Record<Exclude<ScalarType, 'enumeration'>, readonly unknown[]>> = {
  string: texts,
  text: texts,
  richtext: texts,
  email: ['ada@example.test', 'ADA@example.test', 'ben@example.test'],
  uid: ['ada', 'Ada', 'a-b', 'a_b'],
  password: [],
  integer: integers,
  float: numbers,
  decimal: numbers,
  biginteger: ['0', '1', '-5', '9007199254740992', '9007199254740993', '9223372036854775807'],
  boolean: [true, false],
  date: ['1969-12-31', '2024-02-29', '2024-03-01'],
  time: ['00:00:00.000', '09:30:00.000', '09:30:00.001'],
  datetime: ['1969-12-31T23:59:59.999Z', '2024-02-29T12:00:00.000Z', '2024-02-29T12:00:00.001Z'],
  timestamp: ['2024-02-29T12:00:00.000Z', '2025-01-01T00:00:00.000Z'],
  json: documents,
  blocks: documents.filter((document) => Array.isArray(document)),
  array: documents.filter((document) => Array.isArray(document)),
};

/** Values that the attribute takes, of those of its type. */
export function valuesOf(attribute: ScalarAttribute): readonly unknown[] {
  const { type, enum: allowed = [], regex, min, max, minLength = 0, maxLength = Infinity, required } = attribute;
  if (type === 'enumeration') return allowed;
  return pools[type].filter((value) => {
    if (typeof value === 'number') return value >= Number(min ?? -Infinity) && value <= Number(max ?? Infinity);
    if (typeof value !== 'string' || type === 'biginteger') return true;
    if (required && value === '') return false;
    const { length } = Array.from(value);
    return length >= minLength && length <= maxLength && regex?.test(value) !== false;
  });
}
