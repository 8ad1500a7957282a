import type { Failure } from './batches.js';
import { count } from '../../io/terminal.js';

/** The maximum number of kinds of failures that are counted separately, so that the summary stays small. */
const MAX_KINDS = 50;

/** The failures with their number: rows that break the same rule at the same attribute are counted together. */
export function createSummary() {
  const kinds = new Map<string, { times: number; readonly first: Failure }>();
  let omitted = 0;
  return {
    add: (failure: Failure): void => {
      const kind = `${failure.type} ${failure.path.replaceAll(/\.\d+(?=\.|$)/g, '.*')} ${ruleOf(failure)}`;
      const counted = kinds.get(kind);
      if (counted !== undefined) counted.times += 1;
      else if (kinds.size < MAX_KINDS) kinds.set(kind, { times: 1, first: failure });
      else omitted += 1;
    },
    lines: (): readonly string[] => [
      ...[...kinds]
        .toSorted(([, a], [, b]) => b.times - a.times)
        .map(([, { times, first }]) => `  ${count(times)} × like ${describeFailure(first)}`),
      ...(omitted > 0 ? [`  ${count(omitted)} × others`] : []),
    ],
  };
}

/** A rule without the value that broke it. */
const ruleOf = ({ rule }: Failure): string => rule.replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"');

/** `articles.ndjson:17 title: title must be at most 100 characters` */
export const describeFailure = ({ file, line, path, rule }: Failure): string =>
  `${file}${line === undefined ? '' : `:${line}`}${path === '' ? '' : ` ${path}`}: ${rule}`;
