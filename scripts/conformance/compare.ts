import { isRecord } from '../../src/config/record.js';
import { canonical, differences, type Difference } from './differences.js';
import type { Answer } from './scenario.js';

/** In what an answer differs from the recorded one; nothing: it is as recorded. */
export interface Comparison {
  /** By what clients rely on: the wording of errors is free. */
  readonly lenient: readonly Difference[];
  /** By everything. */
  readonly strict: readonly Difference[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Compares an answer, normalised, with the recorded one. */
export function compare(expected: Answer, actual: Answer, unordered = false): Comparison {
  const { status, body } = actual;
  const strict = differences({ status: expected.status, body: expected.body }, { status, body }, unordered);
  return { lenient: strict.length === 0 ? [] : compareLeniently(expected, actual, unordered), strict };
}

function compareLeniently(expected: Answer, actual: Answer, unordered: boolean): readonly Difference[] {
  if (expected.status !== actual.status) {
    return [{ at: '.status', expected: expected.status, actual: actual.status }];
  }
  if (hasGraphqlErrors(expected.body)) {
    if (isRecord(actual.body) && Array.isArray(actual.body['errors'])) {
      return differences(essenceOfGraphql(expected.body), essenceOfGraphql(actual.body), unordered);
    }
    const errors = isRecord(actual.body) ? actual.body['errors'] : undefined;
    return [{ at: '.errors', expected: expected.body['errors'], actual: errors ?? '(absent)' }];
  }
  const essence = expected.status >= 400 ? essenceOfError : (body: unknown) => body;
  return differences(essence(expected.body), essence(actual.body), unordered);
}

const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);

const hasGraphqlErrors = (body: unknown): body is Fields =>
  isRecord(body) && Array.isArray(body['errors']) && !body['error'];

/** Of an error: its name, what it is about, and the data. */
function essenceOfError(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return { kind: 'text' };
  const { error, data = null } = fieldsOf(body);
  return isRecord(error) ? { data, name: error['name'], paths: pathsOf(error['details']) } : body;
}

/** Of errors in a GraphQL answer: the data, and of which kinds the errors are. */
function essenceOfGraphql({ data = null, errors }: Fields): unknown {
  const kinds = listOf(errors).map(({ extensions }) => {
    const { error, code } = fieldsOf(extensions);
    const { name, details } = fieldsOf(error);
    return { name: name ?? code ?? null, paths: pathsOf(details) };
  });
  return { data, errors: kinds.toSorted((a, b) => (canonical(a) < canonical(b) ? -1 : 1)) };
}

/** The paths of all errors, each once, in order; null where there is no list of errors. */
function pathsOf(details: unknown): readonly string[] | null {
  if (!isRecord(details) || !Array.isArray(details['errors'])) return null;
  const paths = listOf(details['errors']).map(({ path }) => (Array.isArray(path) ? path.join('.') : String(path)));
  return [...new Set(paths)].toSorted();
}
