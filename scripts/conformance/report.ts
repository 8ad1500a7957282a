import type { Difference } from './differences.js';
import type { Outcome } from './replay.js';
import { totalOf, type Score, type Scores } from './score.js';

/** How the areas stand, as a table. */
export function formatScores(scores: Scores): string {
  const rows = [...Object.entries(scores), ['all', totalOf(scores)] as const];
  const lines = [['area', 'passed', '', 'strict', 'not judged'], ...rows.map(cellsOf)];
  const widths = lines.reduce<readonly number[]>(
    (most, cells) => cells.map((cell, column) => Math.max(cell.length, most[column] ?? 0)),
    [],
  );
  const align = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((cells) => cells.map(align).join('  ')).join('\n');
}

function cellsOf([area, { judged, lenient, strict, notJudged }]: readonly [string, Score]): readonly string[] {
  const share = judged === 0 ? '' : `${Math.floor((100 * lenient) / judged)} %`;
  return [area, `${lenient}/${judged}`, share, String(strict), String(notJudged)];
}

/** How many differences of a step are shown, and how many characters of each value. */
const brief = { differences: 3, characters: 200 };
const whole = { differences: 12, characters: 1500 };

/** The lines about a step: that it failed and where; if `verbose`, also each deviation from the exact recording. */
export function describeOutcome(outcome: Outcome, verbose: boolean): readonly string[] {
  const { file, step, name, method, path, rule, lenient, strict, answer } = outcome;
  const place = `${file} #${step} ${name}`;
  if (rule !== undefined) return verbose ? [`NOT JUDGED  ${place}: ${rule}`] : [];
  const { differences, characters } = verbose ? whole : brief;
  const show = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, characters);
  const line = ({ at, expected, actual }: Difference): string =>
    `    ${at || '(whole)'}: expected ${show(expected)}, got ${show(actual)}`;
  if (lenient.length > 0) {
    const got = verbose ? [`    got ${show(answer)}`] : [];
    return [`FAIL  ${place}`, `    ${method} ${path}`, ...lenient.slice(0, differences).map(line), ...got];
  }
  return verbose && strict.length > 0 ? [`WORDING  ${place}`, ...strict.slice(0, brief.differences).map(line)] : [];
}
