import { isRecord } from '../../../src/config/record.js';
import { differences } from '../differences.js';
import type { Judge } from '../judge.js';
import type { Step } from '../scenario.js';
import { Labels } from './labels.js';

/**
 * Judges what code of a Strapi 5 project gets. Its documentIds are random, so answers are compared by the names of
 * documents.
 */
export function createCodeJudge(): Judge {
  let seeded: ReadonlyMap<string, string> = new Map();
  let labels = new Labels(seeded);
  let pairs = new Pairs();
  return {
    begin: () => {
      labels = new Labels(seeded);
      pairs = new Pairs();
    },
    judge: (step, { status, body }, captured, own) => {
      for (const name of own) labels.name(captured[name], name);
      const answer = { status, body: labels.mark(body) };
      const strict = differences(step.expect, answer);
      if (strict.length === 0) return { answer, strict, lenient: [] };
      const expected = essenceOf(withoutReads(step.expect, step));
      return {
        answer,
        strict,
        lenient: differences(expected, agree(expected, essenceOf(withoutReads(answer, step)), pairs)),
      };
    },
    keep: () => {
      seeded = labels.named;
    },
  };
}

/** Of lifecycle events, the query that Strapi makes of a call. */
const internal = new Set(['where', 'select', 'populate', 'orderBy', 'limit', 'offset']);

/** What counts: of errors name, status and paths. */
function essenceOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essenceOf);
  if (!isRecord(value)) return value;
  const isEvent = value['kind'] === 'lifecycles';
  const parts = Object.entries(value).flatMap(([key, part]): readonly (readonly [string, unknown])[] => {
    if (isEvent && internal.has(key)) return [];
    if (key === 'error' && isRecord(part) && typeof part['name'] === 'string')
      return [[key, { name: part['name'], status: part['status'], paths: pathsOf(part['details']) }]];
    if (key === 'errors' && Array.isArray(part) && part.some((one) => isRecord(one) && isRecord(one['extensions'])))
      return [[key, part.map(nameOf)]];
    return [[key, essenceOf(part)]];
  });
  return Object.fromEntries(parts);
}

/** Of an error of GraphQL. */
function nameOf(error: unknown): unknown {
  const { extensions } = isRecord(error) ? error : {};
  const { error: inner, code } = isRecord(extensions) ? extensions : {};
  return { name: (isRecord(inner) ? inner['name'] : code) ?? null };
}

function pathsOf(details: unknown): readonly string[] | null {
  if (!isRecord(details) || !Array.isArray(details['errors'])) return null;
  const paths = details['errors'].map((error: unknown) => [isRecord(error) ? error['path'] : ''].flat().join('.'));
  return [...new Set(paths)].toSorted();
}

const WRITE = /\.(?:create|update|delete|publish|unpublish|discardDraft|clone|createOrUpdate)\w*\(/;
const READ_EVENT = /^(?:before|after)(?:Find|Count)/;

/** The reads that Strapi makes inside of a write are its own business. */
function withoutReads(answer: { readonly status: number; readonly body: unknown }, { body: sent }: Step) {
  const { status, body } = answer;
  const code = isRecord(sent) ? String(sent['code']) : '';
  if (!isRecord(body) || !Array.isArray(body['journal']) || !WRITE.test(code)) return { status, body };
  const journal = body['journal'].filter((line) => !isRecord(line) || !READ_EVENT.test(String(line['hook'])));
  return { status, body: { ...body, journal } };
}

const NUMBER = /^<(?:row \d+|id)>$/;
const isFailure = (value: unknown): boolean => isRecord(value) && value['name'] === 'Error' && value['status'] === 500;

const DOCUMENT = /<document \d+>/g;

/**
 * Which document without a name stands for which of the recording: a step that differs must not make those after it
 * differ.
 */
class Pairs {
  readonly #recorded = new Map<string, string>();
  readonly #ours = new Map<string, string>();

  /** Whether one text can be the other. */
  match(expected: string, actual: string): boolean {
    const [recorded, ours] = [expected, actual].map((text) => text.match(DOCUMENT) ?? []);
    if (recorded === undefined || ours?.length !== recorded.length) return false;
    if (expected.replaceAll(DOCUMENT, '') !== actual.replaceAll(DOCUMENT, '')) return false;
    return recorded.every((label, index) => this.#pair(label, ours[index] ?? ''));
  }

  #pair(recorded: string, ours: string): boolean {
    const [known, back] = [this.#recorded.get(recorded), this.#ours.get(ours)];
    if (known !== undefined || back !== undefined) return known === ours;
    this.#recorded.set(recorded, ours);
    this.#ours.set(ours, recorded);
    return true;
  }
}

/**
 * The answer, with the recorded value where theirs counts as equal: the number of a row, and an error of the database
 * or of the program.
 */
function agree(expected: unknown, actual: unknown, pairs: Pairs): unknown {
  if (isFailure(expected) && isRecord(actual) && typeof actual['name'] === 'string') return expected;
  if (typeof expected === 'string' && NUMBER.test(expected))
    return typeof actual === 'string' || typeof actual === 'number' ? expected : actual;
  if (typeof expected === 'string' && typeof actual === 'string')
    return pairs.match(expected, actual) ? expected : actual;
  if (Array.isArray(expected) && Array.isArray(actual))
    return actual.map((one, index) => agree(expected[index], one, pairs));
  if (!isRecord(expected) || !isRecord(actual)) return actual;
  return Object.fromEntries(Object.entries(actual).map(([key, part]) => [key, agree(expected[key], part, pairs)]));
}
