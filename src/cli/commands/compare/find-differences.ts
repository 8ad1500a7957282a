import { isRecord } from '../../../content-types/model/settings-schema.js';

/** An answer as it came. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Where two answers to the same request differ, and why: what differs in the same way has the same cause. */
export interface Difference {
  readonly cause: string;
  /** E.g. `data[3].attributes.title`. */
  readonly at: string;
  readonly reference: string;
  readonly ours: string;
}

/** Every difference between two answers; none when they are equal byte by byte. */
export function findDifferences(reference: Answer, ours: Answer): readonly Difference[] {
  if (reference.status !== ours.status) {
    const cause = `status ${reference.status} there, ${ours.status} here`;
    return [{ cause, at: '', reference: brief(reference.body), ours: brief(ours.body) }];
  }
  const found: Difference[] = [];
  if (reference.type !== ours.type) found.push(differ('content type', '', reference.type, ours.type));
  if (reference.body === ours.body) return found;
  const [there, here] = [parse(reference.body), parse(ours.body)];
  if (there === undefined || here === undefined) {
    return [...found, differ('text', '', reference.body, ours.body)];
  }
  walk(there.value, here.value, '', found);
  // Equal as JSON: names of objects come in another order, or numbers are written otherwise.
  return found.length > 0 ? found : [differ('the same values in another order', '', reference.body, ours.body)];
}

function walk(there: unknown, here: unknown, at: string, found: Difference[]): void {
  if (Array.isArray(there) && Array.isArray(here)) {
    if (there.length !== here.length) {
      found.push(differ(`${general(at)}: number of elements`, at, there.length, here.length));
      return;
    }
    for (const [index, one] of there.entries()) walk(one, here[index], `${at}[${index}]`, found);
  } else if (isRecord(there) && isRecord(here)) {
    for (const name of new Set([...Object.keys(there), ...Object.keys(here)])) {
      const place = at === '' ? name : `${at}.${name}`;
      if (!(name in here)) found.push(differ(`${general(place)}: missing here`, place, there[name], undefined));
      else if (!(name in there)) found.push(differ(`${general(place)}: only here`, place, undefined, here[name]));
      else walk(there[name], here[name], place, found);
    }
  } else if (!Object.is(there, here)) {
    const [kind, other] = [kindOf(there), kindOf(here)];
    const cause = kind === other ? 'another value' : `${kind} there, ${other} here`;
    found.push(differ(`${general(at)}: ${cause}`, at, there, here));
  }
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

const LONGEST = 80;

function brief(value: unknown): string {
  const text = value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function parse(body: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(body) as unknown };
  } catch {
    return undefined;
  }
}
