import type { Texts } from '../../language/texts.js';
import type { ScalarType } from '../attribute-types.js';

/** A way to filter a list by an attribute. */
export interface Operator {
  /** Its name in queries. */
  readonly name: string;
  readonly label: keyof Texts['operators'];
  /** It compares with no operand. */
  readonly unary: boolean;
}

/** Attributes that are filtered in the same ways. */
type FilteredKind = 'text' | 'number' | 'choice' | 'date' | 'dateTime' | 'relation';

const binary = (label: Operator['label'], name: string): Operator => ({ name, label, unary: false });
const emptiness: readonly Operator[] = [
  { name: '$null', label: 'empty', unary: true },
  { name: '$notNull', label: 'notEmpty', unary: true },
];

/** The operators that a list offers for a kind of attributes, in this order. No point in time is exactly another. */
export const operatorsByKind: Readonly<Record<FilteredKind, readonly Operator[]>> = {
  text: [
    binary('contains', '$containsi'),
    binary('containsNot', '$notContainsi'),
    binary('startsWith', '$startsWithi'),
    binary('equal', '$eqi'),
    ...emptiness,
  ],
  number: [
    binary('equal', '$eq'),
    binary('notEqual', '$ne'),
    binary('greater', '$gt'),
    binary('atLeast', '$gte'),
    binary('less', '$lt'),
    binary('atMost', '$lte'),
    ...emptiness,
  ],
  choice: [binary('equal', '$eq'), binary('notEqual', '$ne'), ...emptiness],
  date: [binary('equal', '$eq'), binary('before', '$lt'), binary('notBefore', '$gte'), ...emptiness],
  dateTime: [binary('before', '$lt'), binary('notBefore', '$gte'), ...emptiness],
  relation: [binary('related', '$eq'), binary('relatedToOne', '$in'), binary('contains', '$containsi'), ...emptiness],
};

interface ListedType {
  /** Absent: lists are not filtered by it. */
  readonly filtered?: FilteredKind;
  /** Its values are short enough for a column. */
  readonly isColumn?: true;
}

/** What lists do with the types of attributes. */
export const listedTypes: Readonly<Record<ScalarType, ListedType>> = {
  string: { filtered: 'text', isColumn: true },
  text: { filtered: 'text' },
  richtext: { filtered: 'text' },
  email: { filtered: 'text', isColumn: true },
  uid: { filtered: 'text', isColumn: true },
  password: {},
  enumeration: { filtered: 'choice', isColumn: true },
  integer: { filtered: 'number', isColumn: true },
  biginteger: { filtered: 'number', isColumn: true },
  decimal: { filtered: 'number', isColumn: true },
  float: { filtered: 'number', isColumn: true },
  boolean: { filtered: 'choice', isColumn: true },
  date: { filtered: 'date', isColumn: true },
  time: { filtered: 'date', isColumn: true },
  datetime: { filtered: 'dateTime', isColumn: true },
  timestamp: { filtered: 'dateTime' },
  json: {},
  blocks: {},
  array: {},
};
