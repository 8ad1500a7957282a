/** The id that a path names; undefined for what cannot be one. */
export function parseId(text: string | undefined): number | undefined {
  const id = text !== undefined && /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : undefined;
}
