import { expect, test } from '@jest/globals';
import { commandLog } from '../../../../src/cli/io/command-log.js';

function printed(log: (to: ReturnType<typeof commandLog>) => void): readonly unknown[] {
  const lines: unknown[] = [];
  log(commandLog({ info: (line) => lines.push(line), warn: (line) => lines.push(line) }));
  return lines;
}

test('a command prints messages for people, without the details for programs', () => {
  expect(printed((log) => log.info('Values have the rules of postgres'))).toEqual([
    'Values have the rules of postgres',
  ]);
  expect(printed((log) => log.warn({ webhook: 'site' }, 'Webhooks: "site" fails'))).toEqual(['Webhooks: "site" fails']);
});

test('a command prints an error behind the message', () => {
  const err = new Error('broken');
  expect(printed((log) => log.error({ err, uid: 'api::a.a' }, 'A round failed'))).toEqual(['A round failed', err]);
});

test('a command can leave out what is no problem', () => {
  const lines: unknown[] = [];
  const log = commandLog({ warn: (line) => lines.push(line) });
  log.info('fine');
  log.warn('not fine');
  expect(lines).toEqual(['not fine']);
});
