import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Argument, Command } from 'commander';
import { describeCompletion } from '../../src/cli/completion.js';

const program = (...args: readonly string[]) =>
  spawnSync(process.execPath, [path.resolve('bin/content-service.mjs'), ...args], { encoding: 'utf8' });

describe('bash completes', () => {
  const script = program('completion', 'bash').stdout;

  /** The completions of bash for the last word; without any it offers files. */
  function offered(line: string): readonly string[] {
    const words = line.split(' ');
    const input = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`;
    const { stdout, stderr } = spawnSync(
      'bash',
      ['-c', `${script}\n${input}; _content_service; echo "\${COMPREPLY[@]}"`],
      {
        encoding: 'utf8',
      },
    );
    expect(stderr).toBe('');
    return stdout.trim().split(' ');
  }

  test.each([
    ['content-service che', ['check-data']],
    ['content-service s', ['start', 'seed', 'schedule']],
    ['content-service --v', ['--version']],
    ['content-service generate ', ['type', 'component', 'help']],
    ['content-service generate type --', ['--plural', '--single', '--drafts', '--help']],
    ['content-service import --re', ['--remove-others']],
    ['content-service import --key secret --fr', ['--from']],
    ['content-service completion z', ['zsh']],
    ['content-service seed seed.nd', ['']],
    ['content-service types --out ', ['']],
  ])('%s', (line, words) => {
    expect(offered(line)).toEqual(words);
  });

  test('file names for other arguments', () => {
    expect(script).toContain('complete -o default -F _content_service content-service\n');
  });
});

test('zsh completes like bash and loads bashcompinit', () => {
  const { stdout } = program('completion', 'zsh');
  expect(stdout.split('\n', 2)).toEqual([
    'autoload -U +X compinit && compinit',
    'autoload -U +X bashcompinit && bashcompinit',
  ]);
  expect(stdout.endsWith(program('completion', 'bash').stdout)).toBe(true);
});

test('fish completions have a line for each command, option and choice', () => {
  const command = new Command('cook').helpOption(false).helpCommand(false);
  command
    .command('bake')
    .description("the owner's bread")
    .helpOption(false)
    .option('--heat <degrees>', 'how hot')
    .option('--fan', 'blow');
  command
    .command('shop')
    .description('buy')
    .helpOption(false)
    .addArgument(new Argument('<where>').choices(['mill']));
  expect(describeCompletion(command, 'fish').split('\n')).toEqual([
    String.raw`complete -c cook -n 'not __fish_seen_subcommand_from bake shop' -f -a bake -d 'the owner\'s bread'`,
    "complete -c cook -n 'not __fish_seen_subcommand_from bake shop' -f -a shop -d 'buy'",
    "complete -c cook -n '__fish_seen_subcommand_from bake' -l heat -r -d 'how hot'",
    "complete -c cook -n '__fish_seen_subcommand_from bake' -l fan -d 'blow'",
    "complete -c cook -n '__fish_seen_subcommand_from shop; and not __fish_seen_subcommand_from mill' -f -a mill -d ''",
    '',
  ]);
});

test('an unknown shell is refused with the supported ones', () => {
  expect(program('completion', 'tcsh')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('bash, zsh, fish'),
  });
});
