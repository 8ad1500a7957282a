/** An id as a path or a form has it; undefined for what cannot be one. */
export function parseId(text: unknown): number | undefined {
  const id = typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : undefined;
}
