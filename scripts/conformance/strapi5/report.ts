import type { RecordingOutcome } from './replay-recordings.js';

const MAX_DIFFERENCES = 6;
const MAX_LENGTH = 160;

/** Lines about a file: how many requests went how, the reasons, and the differences. */
export function describeFile(outcomes: readonly RecordingOutcome[]): readonly string[] {
  const [first] = outcomes;
  if (first === undefined) return [];
  const deviating = outcomes.filter(({ verdict }) => verdict === 'deviating');
  const different = outcomes.filter(({ verdict }) => verdict === 'different');
  return [
    `${first.file.padEnd(36)} ${describeCounts(outcomes)}`,
    ...deviating.map(({ name, rule }) => `  deviating  ${name}: ${rule ?? ''}`),
    ...different.flatMap(describeDifferences),
  ];
}

/** A line about all files. */
export function formatTotal(outcomes: readonly RecordingOutcome[]): string {
  const equal = outcomes.filter(({ verdict }) => verdict === 'equal').length;
  const judged = outcomes.filter(({ verdict }) => verdict !== 'deviating').length;
  const share = judged === 0 ? 100 : (100 * equal) / judged;
  return `${'total'.padEnd(36)} ${describeCounts(outcomes)}: ${share.toFixed(1)} % of those that are judged`;
}

function describeCounts(outcomes: readonly RecordingOutcome[]): string {
  const count = (verdict: RecordingOutcome['verdict']): number =>
    outcomes.filter((one) => one.verdict === verdict).length;
  return `${count('equal')} equal, ${count('deviating')} deviating, ${count('different')} different`;
}

function describeDifferences({ name, method, path, differences }: RecordingOutcome): readonly string[] {
  const shown = differences.slice(0, MAX_DIFFERENCES);
  const more = differences.length - shown.length;
  return [
    `  different  ${name === path ? '' : `${name}: `}${method} ${path}`,
    ...shown.map(({ at, expected, actual }) => `      ${at}: recorded ${text(expected)}, here ${text(actual)}`),
    ...(more > 0 ? [`      and ${more} more`] : []),
  ];
}

function text(value: unknown): string {
  const written = JSON.stringify(value) ?? 'nothing';
  return written.length > MAX_LENGTH ? `${written.slice(0, MAX_LENGTH)}…` : written;
}
