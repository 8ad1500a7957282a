import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { formatLog } from '../../../src/server/log-format.js';

test('a terminal shows time and message, and other fields below them', () => {
  let output = '';
  const log = pino(
    { level: 'debug' },
    formatLog((text) => (output += text), false),
  );
  log.info('Ready on http://127.0.0.1:1337');
  log.warn({ requestId: 'a1', tried: [1, 2] }, 'Slow');
  log.error(Object.assign(new Error('gone'), { stack: 'Error: gone\n    at here' }));
  log.debug({ only: true });
  expect(output.replaceAll(/\d\d:\d\d:\d\d/g, '12:00:00')).toBe(
    [
      '12:00:00 Ready on http://127.0.0.1:1337',
      '12:00:00 warning Slow',
      '    requestId: a1',
      '    tried: [1,2]',
      '12:00:00 error gone',
      '    Error: gone',
      '        at here',
      '12:00:00 debug ',
      '    only: true',
      '',
    ].join('\n'),
  );
});

test('warnings and errors are coloured', () => {
  let output = '';
  pino(
    {},
    formatLog((text) => (output += text), true),
  ).error('gone');
  expect(output).toContain('\u001B[31merror gone\u001B[39m');
});
