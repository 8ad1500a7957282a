import { expect, test } from '@jest/globals';
import { relativeTime } from '../../src/browser/model/relative-time.js';

const now = new Date('2026-03-01T12:00:00Z');

test.each([
  ['2026-03-01T11:59:01Z', 'now'],
  ['2026-03-01T11:56:30Z', '3 minutes ago'],
  ['2026-03-01T11:00:00Z', '1 hour ago'],
  ['2026-02-28T12:00:01Z', '23 hours ago'],
  ['2026-02-28T12:00:00Z', '1 day ago'],
  ['2026-01-30T12:00:00Z', '1 month ago'],
  ['2024-03-01T12:00:00Z', '2 years ago'],
  ['2026-03-01T12:05:59Z', 'in 5 minutes'],
])('%s is %s', (time, text) => {
  expect(relativeTime('en', new Date(time), now)).toBe(text);
});

test('in other languages too', () => {
  const time = new Date('2026-03-01T11:56:30Z');
  expect([relativeTime('de', time, now), relativeTime('fr', time, now)]).toEqual(['vor 3 Minuten', 'il y a 3 minutes']);
});
