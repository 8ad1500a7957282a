import { Cron } from 'croner';
import { expect, test } from '@jest/globals';
import { readCronRule, spelling } from '../../../src/strapi/services/cron.js';

const moment = new Date('2030-01-01T00:00:00Z');

test.each([
  ['* * * * * *', undefined, { rule: '* * * * * *', range: {} }],
  ['task', '0 0 1 * *', { rule: '0 0 1 * *' }],
  ['task', moment, { rule: moment }],
  ['task', { rule: moment.getTime() }, { rule: moment, range: {} }],
  ['task', { rule: '* * * * *', tz: 'Asia/Tokyo' }, { rule: '* * * * *', range: { timezone: 'Asia/Tokyo' } }],
  [
    'task',
    { rule: '* * * * *', start: moment, end: moment },
    { rule: '* * * * *', range: { startAt: moment, stopAt: moment } },
  ],
  ['task', { hour: 2, minute: 30 }, { rule: '0 30 2 * * *', range: {} }],
  ['task', { rule: { second: null, tz: 'Asia/Tokyo' } }, { rule: '* * * * * *', range: { timezone: 'Asia/Tokyo' } }],
  [
    'task',
    { rule: { month: 0, date: [1, 15], dayOfWeek: { start: 1, end: 5 } } },
    { rule: '0 * * 1,15 1 1-5/1', range: {} },
  ],
  ['task', { year: 2031, month: 11, date: 31 }, { rule: '0 * * 31 12 * 2031', range: {} }],
])('the rule of %j with %j', (name, options, expected) => {
  const rule = readCronRule(name, options);
  expect(rule).toEqual(expected);
  expect(() => new Cron(rule.rule, { paused: true }).nextRun()).not.toThrow();
});

test.each([null, 5, { rule: { nothing: 1 } }, { rule: null }])('options %j are refused', (options) => {
  expect(() => readCronRule('task', options)).toThrow('Could not schedule a cron job for "task"');
});

test('a step can begin with a number, as in Strapi v4', () => {
  const { rule } = readCronRule('0 5/20 * * * *', undefined);
  const runs = new Cron(rule, { ...spelling, paused: true, timezone: 'UTC' }).nextRuns(4, moment);
  expect(runs.map((run) => run.toISOString().slice(11, 16))).toEqual(['00:05', '00:25', '00:45', '01:05']);
});
