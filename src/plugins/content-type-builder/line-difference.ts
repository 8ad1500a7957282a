/**
 * Two texts line by line: each line of both begins with a space, those of the first alone with `-`, and those of the second alone
 * with `+`.
 */
export function lineDifference(before: string, after: string): string {
  const [old, current] = [linesOf(before), linesOf(after)];
  const shared = lengthsOfShared(old, current);
  const lines: string[] = [];
  let [from, to] = [0, 0];
  while (from < old.length || to < current.length) {
    if (from < old.length && to < current.length && old[from] === current[to]) {
      lines.push(` ${old[from]}`);
      from += 1;
      to += 1;
    } else if (to === current.length || (from < old.length && at(shared, from + 1, to) >= at(shared, from, to + 1))) {
      lines.push(`-${old[from]}`);
      from += 1;
    } else {
      lines.push(`+${current[to]}`);
      to += 1;
    }
  }
  return lines.join('\n');
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/));

const at = (table: readonly (readonly number[])[], row: number, column: number): number => table[row]?.[column] ?? 0;

/** The length of the longest common subsequence from each pair of lines on. */
function lengthsOfShared(old: readonly string[], current: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: old.length + 1 }, () => Array.from({ length: current.length + 1 }, () => 0));
  for (let from = old.length - 1; from >= 0; from -= 1) {
    for (let to = current.length - 1; to >= 0; to -= 1) {
      const row = table[from] ?? [];
      row[to] =
        old[from] === current[to]
          ? at(table, from + 1, to + 1) + 1
          : Math.max(at(table, from + 1, to), at(table, from, to + 1));
    }
  }
  return table;
}
