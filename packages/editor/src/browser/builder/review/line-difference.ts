import { diffLines } from 'diff';

/**
 * Two texts line by line: each line of both begins with a space, those of the first alone with `-`, and those of the
 * second alone with `+`.
 */
export const lineDifference = (before: string, after: string): string =>
  diffLines(before, after, { ignoreNewlineAtEof: true, stripTrailingCr: true })
    .flatMap(({ value, added, removed }) => {
      const sign = added ? '+' : removed ? '-' : ' ';
      return value
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => sign + line);
    })
    .join('\n');
