import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { recoveryRules } from '../../../../src/mongo/write/recovery.js';

test('the recovery table in docs/internals/writes.md equals that of the code', () => {
  const page = readFileSync('docs/internals/writes.md', 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const [header, , ...body] = rows.slice(rows.findIndex(([first]) => first === 'Write'));
  const states = header?.slice(1) ?? [];
  const documented = body.flatMap(([kinds = '', ...actions]) =>
    [...kinds.matchAll(/`(\w+)`/g)].map(([, kind]) => [
      kind,
      Object.fromEntries(states.map((state, index) => [state, actions[index]])),
    ]),
  );
  expect(Object.fromEntries(documented)).toEqual(recoveryRules);
});
