import { count, counted } from '../../io/terminal.js';
import { explain } from './explanations.js';
import type { Difference } from './find-differences.js';

export interface Cause {
  readonly cause: string;
  readonly times: number;
  readonly first: Difference;
  /** The rule of docs/compatibility.md that explains it. */
  readonly rule: string | undefined;
  /** The first requests with it. */
  readonly requests: readonly string[];
  /** The number of requests with it. */
  readonly total: number;
}

/** Causes that are told apart, and requests that are kept of each. */
const MAX_CAUSES = 500;
const MAX_REQUESTS = 20;
const FURTHER = 'further causes';

/** Groups differences by their cause, in bounded memory. */
export function gatherCauses() {
  const causes = new Map<string, { -readonly [Key in keyof Cause]: Cause[Key] }>();
  const entryOf = (request: string, difference: Difference) => {
    const { cause } = difference;
    const name = causes.has(cause) || causes.size < MAX_CAUSES ? cause : FURTHER;
    const rule = explain(request, difference);
    const entry = causes.get(name) ?? { cause: name, times: 0, first: difference, rule, requests: [], total: 0 };
    causes.set(name, entry);
    return entry;
  };
  return {
    /** @param request its method, path and, of GraphQL, its document */
    add: (request: string, differences: readonly Difference[]): void => {
      const noted = new Set<string>();
      for (const difference of differences) {
        const entry = entryOf(request, difference);
        entry.times += 1;
        if (noted.has(entry.cause)) continue;
        noted.add(entry.cause);
        entry.total += 1;
        if (entry.requests.length < MAX_REQUESTS && !entry.requests.includes(request))
          entry.requests = [...entry.requests, request];
      }
    },
    /** The most frequent first. */
    list: (): readonly Cause[] => [...causes.values()].toSorted((a, b) => b.times - a.times),
  };
}

/** Requests of one cause that are named. */
const MAX_LISTED = 3;

/** The lines of a report. */
export const describeCauses = (causes: readonly Cause[]): readonly string[] =>
  causes.flatMap(({ cause, times, first, rule, requests, total }) => {
    const listed = requests.slice(0, MAX_LISTED);
    const omitted = total - listed.length;
    return [
      `${count(times)} × ${cause}`,
      `    at ${first.at === '' ? 'the root' : first.at}: Strapi ${first.reference}, this service ${first.ours}`,
      ...(rule === undefined ? [] : [`    intended: ${rule}`]),
      ...listed.map((request) => `    ${request}`),
      ...(omitted > 0 ? [`    and ${counted(omitted, 'more request')}`] : []),
    ];
  });
