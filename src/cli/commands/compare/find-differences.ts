import { isRecord } from '../../../config/record.js';

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * An answer with this content. What is not text is compared by its bytes: read as UTF-8, different ones would look the
 * same.
 */
export const answerOf = (status: number, type: string, bytes: Uint8Array): Answer => ({
  status,
  type,
  body: Buffer.from(bytes).toString(/json|text/.test(type) ? 'utf8' : 'base64'),
});

export const readAnswer = async (response: Response): Promise<Answer> =>
  answerOf(response.status, response.headers.get('content-type') ?? '', new Uint8Array(await response.arrayBuffer()));

/** The differences of two responses to the same request; similar differences have the same cause. */
export interface Difference {
  readonly cause: string;
  /** E.g. `data[3].attributes.title`. */
  readonly at: string;
  readonly reference: string;
  readonly ours: string;
}

/** Whether two different values at a place count as equal. */
export type Tolerance = (at: string, reference: unknown, ours: unknown) => boolean;

/**
 * Every difference between two answers; none when they are equal byte by byte.
 * @param tolerance default: every difference counts, also that of order or format
 */
export function findDifferences(reference: Answer, ours: Answer, tolerance?: Tolerance): readonly Difference[] {
  if (reference.status !== ours.status) {
    const cause = `status: Strapi ${reference.status}, this service ${ours.status}`;
    return [{ cause, at: '', reference: brief(reference.body), ours: brief(ours.body) }];
  }
  const differences: Difference[] = [];
  if (reference.type !== ours.type) differences.push(differ('content type', '', reference.type, ours.type));
  // Apollo Server ends a response of Strapi v4 with a line feed, which no client sees.
  if (reference.body.trimEnd() === ours.body.trimEnd()) return differences;
  const [expected, actual] = [parse(reference.body), parse(ours.body)];
  if (expected === undefined || actual === undefined) {
    return [...differences, differ('text', '', reference.body, ours.body)];
  }
  const failure = failureOf(expected.value);
  if (failure !== undefined && failureOf(actual.value) === undefined)
    return [...differences, differ('status: Strapi 500 within GraphQL', 'errors', failure, ours.body)];
  walk(expected.value, actual.value, '', { differences, tolerance });
  // Equal as JSON: the order of keys or the format of numbers differs.
  return differences.length > 0 || tolerance !== undefined
    ? differences
    : [differ('the same values in a different order', '', reference.body, ours.body)];
}

interface Walking {
  readonly differences: Difference[];
  readonly tolerance: Tolerance | undefined;
}

function walk(expected: unknown, actual: unknown, at: string, walking: Walking): void {
  const { differences, tolerance } = walking;
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) {
      differences.push(differ(`${general(at)}: number of elements`, at, expected.length, actual.length));
      return;
    }
    const isReordered = at !== '' && differsInOrderOnly(expected, actual);
    if (isReordered) differences.push(differ(`${general(at)}: other order`, at, expected, actual));
    else for (const [index, element] of expected.entries()) walk(element, actual[index], `${at}[${index}]`, walking);
  } else if (isRecord(expected) && isRecord(actual)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const path = at === '' ? name : `${at}.${name}`;
      if (!(name in actual))
        differences.push(differ(`${general(path)}: missing in this service`, path, expected[name], undefined));
      else if (!(name in expected))
        differences.push(differ(`${general(path)}: only in this service`, path, undefined, actual[name]));
      else walk(expected[name], actual[name], path, walking);
    }
  } else if (!Object.is(expected, actual) && tolerance?.(at, expected, actual) !== true) {
    const [kind, other] = [kindOf(expected), kindOf(actual)];
    const cause = kind === other ? 'different value' : `Strapi ${kind}, this service ${other}`;
    differences.push(differ(`${general(at)}: ${cause}`, at, expected, actual));
  }
}

function differsInOrderOnly(expected: readonly unknown[], actual: readonly unknown[]): boolean {
  const [texts, others] = [expected, actual].map((list) => list.map((element) => JSON.stringify(element)));
  return texts?.join() !== others?.join() && texts?.toSorted().join() === others?.toSorted().join();
}

/** The error with which Strapi failed to execute a GraphQL operation, though its status is 200. */
function failureOf(answer: unknown): string | undefined {
  const { errors } = isRecord(answer) ? (answer as { errors?: unknown }) : {};
  const all = Array.isArray(errors) ? (errors as readonly GraphqlError[]) : [];
  return all.find(({ extensions }) => extensions?.code === 'INTERNAL_SERVER_ERROR')?.message;
}

interface GraphqlError {
  readonly message?: string;
  readonly extensions?: { readonly code?: string };
}

const differ = (cause: string, at: string, reference: unknown, ours: unknown): Difference => ({
  cause,
  at,
  reference: brief(reference),
  ours: brief(ours),
});

/** A place in any element of a list. */
const general = (at: string): string => at.replaceAll(/\[\d+\]/g, '[]');

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value);

const MAX_LENGTH = 80;

function brief(value: unknown): string {
  const text = value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

function parse(body: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(body) as unknown };
  } catch {
    return undefined;
  }
}
