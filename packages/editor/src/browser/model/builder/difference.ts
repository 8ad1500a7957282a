/** Lines around a change that are shown with it. */
const CONTEXT = 3;

/**
 * A line of a difference, which begins with a space, `-` or `+`; undefined in place of lines that are far from any
 * change.
 */
export type ShownLine = string | undefined;

/** The changed lines of a difference, each with those around it. */
export function shorten(difference: string): readonly ShownLine[] {
  const lines = difference.split('\n');
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some((line) => !line.startsWith(' ')),
  );
  return lines.flatMap((line, at) => {
    if (isNear[at] === true) return [line];
    return at === 0 || isNear[at - 1] === true ? [undefined] : [];
  });
}
