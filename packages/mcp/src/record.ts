/** Values by name: arguments of a tool, the data of an entry, a body. */
export type Data = Readonly<Record<string, unknown>>;

/** Whether it is an object, and not a list. */
export const isRecord = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The values by name that are not undefined. */
export const defined = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));

/** Whether a value nests in more levels, counted without recursion; a plain value is one level. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === levels) return true;
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []));
  }
  return false;
}
