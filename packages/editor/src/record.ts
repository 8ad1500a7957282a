/** Values by name. */
export type Data = Readonly<Record<string, unknown>>;

/** Whether it is an object, and not a list. */
export const isRecord = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
