/** The Levenshtein distance of two words. */
export function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let line = 0; line < from.length; line += 1) {
    const next = [line + 1];
    for (let column = 0; column < to.length; column += 1) {
      const replaced = (row[column] ?? 0) + (from[line] === to[column] ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The closest name, ignoring case; undefined if more than two fifths of the letters differ. */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let shortest = Math.min(name.length, Math.max(2, Math.floor(name.length * 0.4) + 1));
  for (const candidate of names) {
    const letters = distance(name.toLowerCase(), candidate.toLowerCase());
    if (letters < shortest) [nearest, shortest] = [candidate, letters];
  }
  return nearest;
}

const MAX_LISTED = 25;

/** The end of a message about a wrong name: the closest name, or all names if they are few. */
export function suggestion(name: string | undefined, candidates: Iterable<string>): string {
  const names = [...candidates];
  const nearest = name === undefined ? undefined : nearestName(name, names);
  if (nearest !== undefined) return `; did you mean "${nearest}"?`;
  return names.length > 0 && names.length <= MAX_LISTED ? `; it can be ${names.join(', ')}` : '';
}

/** The message about a name that does not exist: `unknown action "…"; did you mean "…"?` */
export function unknownName(name: string, kind: string, names: Iterable<string>): string {
  return `unknown ${kind} "${name}"${suggestion(name, names)}`;
}

/** The message about an option with a name that is unknown or missing, to follow the path of the option. */
export function wrongName(name: string | undefined, kind: string, names: Iterable<string>): string {
  return name === undefined ? `is missing${suggestion(name, names)}` : `names an ${unknownName(name, kind, names)}`;
}
