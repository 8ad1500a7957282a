import type { Command } from 'commander';

/** Takes the exit code of a command that has ended: 0 done, 1 partly refused, 2 failed, 130 interrupted. */
export type Finish = (exit: number) => void;

/**
 * Adds a command with its arguments and options to the program. The modules of the command are imported when it runs, so that
 * `--help` loads nothing else.
 */
export type Register = (program: Command, finish: Finish) => void;

/** The description of `--json`, which all commands with a result share. */
export const jsonOption = ['--json', 'print the result as JSON on stdout, and everything else on stderr'] as const;
