/** Values by name: a request's data, an entry, settings. */
export type Data = Readonly<Record<string, unknown>>;

/** Is it an object, and not a list? */
export const isRecord = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
