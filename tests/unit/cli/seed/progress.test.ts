import { describe, expect, test } from '@jest/globals';
import { describeProgress } from '../../../../src/cli/commands/seed/reporter.js';
import { describeSeconds } from '../../../../src/cli/io/terminal.js';
import { createSummary } from '../../../../src/cli/commands/seed/summary.js';

describe('progress', () => {
  const before = { at: 10, stored: 1000, existing: 0, failed: 0, share: 0.1 };

  test('shows rate and remaining time since an earlier snapshot', () => {
    const now = { at: 20, stored: 6000, existing: 0, failed: 0, share: 0.5 };
    expect(describeProgress(now, before, { bar: false })).toBe('50 %  6,000 stored  500 a second  13 s left');
    expect(describeProgress(now, before, { bar: true })).toMatch(/^█{12}░{12} {2}50 % /);
  });

  test('shows existing and failed rows only if there are any', () => {
    const now = { at: 10, stored: 0, existing: 2000, failed: 3, share: 1 };
    expect(describeProgress(now, now, { bar: false })).toBe('100 %  0 stored  2,000 existing  3 failed');
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
