/** The unparsed, untrusted parameters of a transport. */
export type QueryInput = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The entries of an object; a list's entries go by their index, as in JavaScript. */
export const entriesOf = (value: object): readonly (readonly [string, unknown])[] => Object.entries(value);

/** The parameter is absent, empty, or has no `=`. */
export const isNothing = (value: unknown): value is undefined | null | '' =>
  value === undefined || value === null || value === '';
