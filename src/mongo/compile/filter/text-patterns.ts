import lodash from 'lodash';
import { AppError } from '../../../errors/app-error.js';
import type { Ignored } from '../../../content-types/model/dialects.js';

/** Bytes of a pattern that the database accepts. */
const MAX_BYTES = 32_764;

/**
 * A string as a pattern that matches it literally, except for what texts ignore there: patterns know no collation, so
 * each character stands for all that are equal to it. A BSON pattern ends at NUL, so NUL is written as its code.
 * @throws AppError tooCostly
 */
export function literal(text: string, ignored: Ignored): string {
  const equals = equalTo[ignored];
  const pattern = Array.from(text, (character) => classOf(equals(character))).join('');
  if (Buffer.byteLength(pattern) > MAX_BYTES)
    throw new AppError('tooCostly', 'bytes of a text to search for', MAX_BYTES);
  return pattern;
}

const special = /[\\^$.*+?()[\]{}|/-]/g;

const escaped = (characters: string): string =>
  characters.replaceAll(special, String.raw`\$&`).replaceAll('\0', String.raw`\x00`);

const classOf = (characters: readonly string[]): string =>
  characters.length > 1 ? `[${escaped(characters.join(''))}]` : escaped(characters.join(''));

/** The characters that are equal to one, with itself. */
const equalTo: Readonly<Record<Ignored, (character: string) => readonly string[]>> = {
  nothing: (character) => [character],
  'case of ASCII letters': (character) =>
    /[a-z]/i.test(character) ? [character.toLowerCase(), character.toUpperCase()] : [character],
  case: (character) => tableOf('accent').get(character) ?? [character],
  'case and accents': (character) => tableOf('base').get(character) ?? [character],
};

/**
 * The letters of Latin, Greek, Cyrillic and Armenian with their signs, further Latin and Greek ones, and those of full
 * width.
 */
const letters: readonly (readonly [first: number, last: number])[] = [
  [0x41, 0x5_8f],
  [0x1e_00, 0x1f_ff],
  [0xff_21, 0xff_5a],
];

/** The groups of letters that are equal, by each of them. */
const tableOf = lodash.memoize((sensitivity: 'base' | 'accent'): ReadonlyMap<string, readonly string[]> => {
  const { compare } = new Intl.Collator('en', { sensitivity });
  const characters = letters
    .flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
    )
    // Signs that are added to letters are equal to nothing alone, and to each other.
    .filter((character) => /\p{L}/u.test(character))
    .toSorted(compare);
  const table = new Map<string, readonly string[]>();
  let group: string[] = [];
  for (const [index, character] of characters.entries()) {
    group.push(character);
    const next = characters[index + 1];
    if (next !== undefined && compare(character, next) === 0) continue;
    for (const member of group) table.set(member, group);
    group = [];
  }
  return table;
});
