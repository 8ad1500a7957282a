import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { quoteForShell } from '../../../src/errors/quote-for-shell.js';

test('a shell reads a quoted word as it was', () => {
  const words = ['Meine Seite #1', 'Mein Dienst (neu)', "L'été", 'a$HOME`b`', 'front-é', '"x"', '../plain-1.0'];
  const { stdout } = spawnSync('sh', ['-c', `printf '%s\\n' ${words.map(quoteForShell).join(' ')}`], {
    encoding: 'utf8',
  });
  expect(stdout).toBe(`${words.join('\n')}\n`);
});

test('a plain word is left as it is', () => {
  expect(['my-site', '../my_site', '/srv/content'].map(quoteForShell)).toEqual([
    'my-site',
    '../my_site',
    '/srv/content',
  ]);
});
