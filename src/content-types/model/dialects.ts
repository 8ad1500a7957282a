import type { Values } from '../../config/variables.js';
import { StartError } from '../../errors/start-error.js';

/** The databases of Strapi v4 whose rules the service can follow. */
type DialectName = NonNullable<Values['STRAPI_DATABASE']>;

/** A collation of MongoDB: https://www.mongodb.com/docs/manual/reference/collation/ */
export interface Collation {
  readonly locale: string;
  /** 1 ignores case and accents, 2 ignores case; 5 tells all texts apart. */
  readonly strength: 1 | 2 | 3 | 5;
  /** Punctuation and spaces count only between texts that are equal without them. */
  readonly alternate?: 'shifted';
  readonly maxVariable?: 'punct';
}

/** What the characters of a text to search for ignore. */
export type Ignored = 'nothing' | 'case of ASCII letters' | 'case' | 'case and accents';

/**
 * How texts are compared: `collation` for equality, order and unique values, by code points if undefined; `ignored` for
 * patterns.
 */
interface TextRules {
  readonly collation: Collation | undefined;
  readonly ignored: Ignored;
  /** In what they differ from those of a usual installation. */
  readonly unusual?: string;
}

/** What a database does in its own way, in one row. */
interface DialectRow {
  /** The text rules by a name of the database's own; undefined for an unknown one. */
  readonly textRules: (name: string) => TextRules | undefined;
  /** The name of the text rules of a usual installation, and an example of others. */
  readonly usual: string;
  readonly other: string;
  /** In a text to search for, a backslash stands for the character after it. */
  readonly hasEscapes: boolean;
  /** Where missing values are in ascending order. */
  readonly nulls: 'first' | 'last';
  /** Times of day in responses end without zeros. */
  readonly trimsTimes: boolean;
  /** A `decimal` is stored with this number of places; undefined: as it is. */
  readonly decimalPlaces: number | undefined;
  /** The largest values that it stores: characters of texts on one line, and the magnitude of numbers. */
  readonly largest: { readonly characters?: number; readonly integer?: number; readonly decimal?: number };
  /** The keys of JSON objects are stored by length, then by bytes. */
  readonly sortsKeys: boolean;
  /** Values that are not texts, where they are searched as texts. */
  readonly asText: AsText;
  /** The statement after which a table that is emptied numbers its rows from 1 on; undefined: there is none. */
  readonly resetCounter: ((table: string) => string) | undefined;
}

/** How a value that is no text is written where it is searched. */
interface AsText {
  /** `true` or `1`. */
  readonly boolean: 'word' | 'digit';
  /** `shortest`: at least one place; `stored`: with the places of a stored decimal. */
  readonly decimal: 'shortest' | 'stored';
  /** A format of MongoDB's `$dateToString`, and whether zeros at its end are left out; undefined: milliseconds. */
  readonly instant: { readonly format: string; readonly trimmed: boolean } | undefined;
}

const byCodePoint = { collation: undefined, ignored: 'nothing' } as const;

/** The sizes of the columns that Strapi v4 creates there. */
const sized = {
  decimalPlaces: 2,
  largest: { characters: 255, integer: 2 ** 31 - 1, decimal: 99_999_999.99 },
} as const;

/** By what `LIKE` does, which Strapi v4 compares with. */
const sqliteRules: ReadonlyMap<string, TextRules> = new Map<string, TextRules>([
  [
    'case_sensitive_like',
    {
      ...byCodePoint,
      unusual:
        'unlike there, $contains and similar operators tell upper from lower case, unless STRAPI_DATABASE_COLLATION=like',
    },
  ],
  ['like', { ...byCodePoint, ignored: 'case of ASCII letters' }],
]);

/** To follow another database, add a row. */
const rows: Readonly<Record<DialectName, DialectRow>> = {
  sqlite: {
    textRules: (name) => sqliteRules.get(name),
    usual: 'case_sensitive_like',
    other: 'like',
    hasEscapes: false,
    nulls: 'first',
    trimsTimes: false,
    decimalPlaces: undefined,
    largest: {},
    sortsKeys: false,
    asText: { boolean: 'digit', decimal: 'shortest', instant: undefined },
    resetCounter: (table) => `UPDATE sqlite_sequence SET seq = 0 WHERE name = '${table}';`,
  },
  postgres: {
    textRules: postgresRules,
    usual: 'en_US',
    other: 'C, de_DE or icu:de',
    hasEscapes: true,
    nulls: 'last',
    trimsTimes: true,
    ...sized,
    sortsKeys: true,
    asText: {
      boolean: 'word',
      decimal: 'stored',
      instant: { format: '%Y-%m-%d %H:%M:%S.%L', trimmed: true },
    },
    resetCounter: (table) => `SELECT setval(pg_get_serial_sequence('"${table}"', 'id'), 1, false);`,
  },
  mysql: {
    textRules: mysqlRules,
    usual: '0900_ai_ci',
    other: 'general_ci, 0900_as_cs or bin',
    hasEscapes: true,
    nulls: 'first',
    trimsTimes: false,
    ...sized,
    sortsKeys: false,
    asText: { boolean: 'digit', decimal: 'stored', instant: { format: '%Y-%m-%d %H:%M:%S.%L000', trimmed: false } },
    // It does not count below the rows that are there.
    resetCounter: undefined,
  },
};

/**
 * glibc, whose locales PostgreSQL uses, compares letters first, then accents and case, and punctuation last; equal
 * texts are the same.
 */
function postgresRules(name: string): TextRules | undefined {
  if (/^(?:C|POSIX)(?:\.|$)/i.test(name)) return byCodePoint;
  const [, icu, glibc] = /^(?:icu:([a-z]{2,3})|([a-z]{2,3})(?:_[A-Z]{2})?(?:\.utf-?8)?)$/i.exec(name) ?? [];
  if (icu !== undefined) return { collation: { locale: icu, strength: 5 }, ignored: 'nothing' };
  if (glibc === undefined) return undefined;
  return {
    collation: { locale: glibc, strength: 5, alternate: 'shifted', maxVariable: 'punct' },
    ignored: 'nothing',
  };
}

/** Of the end of a name: what it tells apart. */
const mysqlEndings: ReadonlyMap<string, TextRules> = new Map<string, TextRules>([
  ['ai_ci', { collation: { locale: 'en', strength: 1 }, ignored: 'case and accents' }],
  ['as_ci', { collation: { locale: 'en', strength: 2 }, ignored: 'case' }],
  ['as_cs', { collation: { locale: 'en', strength: 3 }, ignored: 'nothing' }],
  ['bin', byCodePoint],
]);

/** With or without the name of the character set, of any version: `utf8mb4_0900_ai_ci`, `uca1400_ai_ci`. */
function mysqlRules(name: string): TextRules | undefined {
  const [, ending = ''] =
    /^(?:utf8(?:mb[34])?_)?(?:(?:0900|uca1400|unicode|unicode_520)_)?(?:nopad_)?(.+)$/.exec(name) ?? [];
  return mysqlEndings.get(ending === 'ci' || ending === 'general_ci' ? 'ai_ci' : ending);
}

/** Which database's rules apply, as it is configured and stored. */
export interface DialectChoice {
  readonly database: DialectName;
  /** The name of its text rules. */
  readonly collation: string;
}

/** The rules of the database that people come from; no other code distinguishes databases by name. */
export interface Dialect extends Omit<DialectRow, 'textRules' | 'usual' | 'other'>, TextRules {
  readonly choice: DialectChoice;
}

/** The rules of a database. @throws StartError for text rules that it does not have */
export function dialectOf(database: DialectName, collation = rows[database].usual): Dialect {
  const { textRules, usual, other, ...row } = rows[database];
  const rules = textRules(collation);
  if (rules === undefined) {
    throw new StartError(
      `STRAPI_DATABASE_COLLATION is "${collation}"; with STRAPI_DATABASE=${database} it must be one like ${usual}, ${other}`,
    );
  }
  return { choice: { database, collation }, ...row, ...rules };
}

/** Also the rules of data that was stored before they could be chosen, and those of the recorded responses. */
export const sqlite: Dialect = dialectOf('sqlite');
