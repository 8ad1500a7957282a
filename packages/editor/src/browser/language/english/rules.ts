import { counter } from '../counter.js';

const counted = counter('en');
const characters = (count: number): string => counted(count, 'character', 'characters');

/** What values have to be. */
export const rules = {
  required: 'Required',
  integer: 'Must be a number without fraction',
  number: 'Must be a number',
  datetime: 'Must be a date with a time',
  date: 'Must be a date: 2030-01-31',
  time: 'Must be a time: 09:30',
  enumeration: 'Choose one of the values',
  email: 'Must be an email address',
  address: 'Must be an address: https://example.org',
  refused: 'This value is not allowed',
  uid: 'Only letters, digits and -_.~ without spaces',
  list: 'Must be a list in JSON',
  taken: 'Another entry has this value already',
  json: (line: number): string => `Must be JSON: see line ${line}`,
  atLeast: (min: number | string): string => `At least ${min}`,
  atMost: (max: number | string): string => `At most ${max}`,
  atLeastElements: (min: number): string => `At least ${counted(min, 'element', 'elements')}`,
  atMostElements: (max: number): string => `At most ${counted(max, 'element', 'elements')}`,
  atLeastCharacters: (min: number): string => `At least ${characters(min)}`,
  atMostCharacters: (max: number): string => `At most ${characters(max)}`,
  match: (pattern: string): string => `Must match ${pattern}`,
};
