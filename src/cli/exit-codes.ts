/** What the exit codes of commands mean: of most, and of those that differ. */
export const exitCodes = {
  most: { 0: 'success', 1: 'something was refused, is wrong or differs', 2: 'failure', 130: 'interrupted by Ctrl+C' },
  service: { 0: 'stopped by a signal', 1: 'failure, also of the start' },
  access: { 0: 'success', 1: 'refused', 2: 'could not start' },
  inspect: {
    0: 'everything is supported',
    1: 'parts are not supported',
    2: 'the project does not start as it is',
  },
  doctor: {
    0: 'all that is needed holds',
    1: 'something that is needed is missing',
    2: 'the database does not respond, or cannot be used at all',
  },
} as const;

export type ExitCode = keyof (typeof exitCodes)['most'];

/** A line of `--help`. */
export const describeExitCodes = (kind: keyof typeof exitCodes): string =>
  `Exit codes: ${Object.entries(exitCodes[kind])
    .map(([exitCode, meaning]) => `${exitCode} ${meaning}`)
    .join('; ')}.`;
