import { isRecord } from '../../src/config/record.js';

/** One place where two values differ. */
export interface Difference {
  /** e.g. `.body.data[0].id`. */
  readonly at: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** Matches anything, absence included. */
const ANY = '<any>';
const ABSENT = '(absent)';

/** Everything in which a value differs from the expected one. Keys may come in any order; lists too, if `unordered`. */
export function differences(expected: unknown, actual: unknown, unordered = false, at = ''): readonly Difference[] {
  if (expected === ANY) return [];
  if (Array.isArray(expected) && Array.isArray(actual)) return differencesOfLists(expected, actual, unordered, at);
  if (isRecord(expected) && isRecord(actual)) return differencesOfFields(expected, actual, unordered, at);
  return expected === actual ? [] : [{ at, expected, actual }];
}

function differencesOfLists(
  expected: readonly unknown[],
  actual: readonly unknown[],
  unordered: boolean,
  at: string,
): readonly Difference[] {
  const length =
    expected.length === actual.length ? [] : [{ at: `${at}.length`, expected: expected.length, actual: actual.length }];
  const [first, second] = unordered ? [inOrder(expected), inOrder(actual)] : [expected, actual];
  const common = first.slice(0, second.length);
  return [...length, ...common.flatMap((one, index) => differences(one, second[index], unordered, `${at}[${index}]`))];
}

function differencesOfFields(expected: Fields, actual: Fields, unordered: boolean, at: string): readonly Difference[] {
  return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].flatMap((key) => {
    const place = `${at}.${key}`;
    if (!Object.hasOwn(expected, key)) return [{ at: place, expected: ABSENT, actual: actual[key] }];
    if (Object.hasOwn(actual, key)) return differences(expected[key], actual[key], unordered, place);
    return expected[key] === ANY ? [] : [{ at: place, expected: expected[key], actual: ABSENT }];
  });
}

const inOrder = (list: readonly unknown[]): readonly unknown[] =>
  list
    .map((one) => ({ one, text: canonical(one) }))
    .toSorted((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ one }) => one);

/** A text that is the same for values that differ only in the order of keys and lists. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).toSorted().join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const fields = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`);
  return `{${fields.toSorted().join(',')}}`;
}
