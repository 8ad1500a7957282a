import { describe, expect, test } from '@jest/globals';
import { describePace, describeProgress } from '../../../../src/cli/io/progress.js';
import { describeSeconds } from '../../../../src/cli/io/terminal.js';
import { createSummary } from '../../../../src/cli/commands/seed/reporter.js';

describe('progress', () => {
  test.each([
    [0, 0, '0 %  0 stored'],
    [0.5, 10, '50 %  0 stored  10 s left'],
    [0.01, 1, '1 %  0 stored  1 min 39 s left'],
    [1, 4, '100 %  0 stored'],
  ])('of the share %d after %d seconds is shown as "%s"', (share, seconds, line) => {
    expect(describeProgress(share, seconds, '0 stored')).toBe(line);
  });

  test('ends with the pace', () => {
    expect([describePace(0, 0), describePace(176, 5)]).toEqual(['in 0 s', 'in 5 s (35 a second)']);
  });

  test('shows long durations in minutes', () => {
    expect([0.4, 59.4, 59.6, 150].map(describeSeconds)).toEqual(['0 s', '59 s', '1 min 0 s', '2 min 30 s']);
  });
});

describe('a summary', () => {
  const failure = (line: number, path: string, rule: string) => ({
    file: 'a.ndjson',
    line,
    type: 'api::a.a',
    path,
    rule,
  });

  test('counts failures of the same kind together, the most frequent first, each with an example', () => {
    const summary = createSummary();
    summary.add(failure(2, 'title', 'title is required'));
    summary.add(failure(3, 'links.0.url', 'no entry "x"'));
    summary.add(failure(5, 'links.12.url', 'no entry "y \\" z"'));
    expect(summary.lines()).toEqual([
      '  2 × like a.ndjson:3 links.0.url: no entry "x"',
      '  1 × like a.ndjson:2 title: title is required',
    ]);
  });

  test('stays small for any number of failures', () => {
    const summary = createSummary();
    for (let line = 1; line <= 1000; line += 1) summary.add(failure(line, `a${line}`, 'is wrong'));
    expect(summary.lines()).toHaveLength(51);
    expect(summary.lines().at(-1)).toBe('  950 × others');
  });
});
