/** Values by name: a request's data, an entry, settings. */
export type Data = Readonly<Record<string, unknown>>;

/** Whether it is an object, and not a list. */
export const isRecord = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The values by name that are not undefined. */
export const defined = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));

/**
 * The values in a list or an object of JSON. For an object with many names `Object.values` takes three times as long.
 */
export function valuesIn(outer: object): readonly unknown[] {
  if (Array.isArray(outer)) return outer;
  const values: unknown[] = [];
  for (const name in outer) values.push((outer as Data)[name]);
  return values;
}

/** Whether a value holds more names and elements of lists than so many, at all levels, counted without recursion. */
export function holdsMoreThan(most: number, value: unknown): boolean {
  let count = 0;
  for (const pending = [value]; pending.length > 0;) {
    const outer = pending.pop();
    if (typeof outer !== 'object' || outer === null) continue;
    const values = valuesIn(outer);
    count += values.length;
    if (count > most) return true;
    for (const inner of values) if (typeof inner === 'object') pending.push(inner);
  }
  return false;
}

/** Whether a value nests in more levels, counted without recursion; a plain value is one level. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 1; depth <= levels; depth += 1) {
    let isLast = true;
    const inner: unknown[] = [];
    for (const part of level) {
      if (typeof part !== 'object' || part === null) continue;
      for (const value of valuesIn(part)) {
        isLast = false;
        // What is no object has no levels below.
        if (typeof value === 'object') inner.push(value);
      }
    }
    if (isLast) return false;
    level = inner;
  }
  return true;
}

/** Whether a value is missing: GraphQL and JSON have null where others have undefined. */
export const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null;
