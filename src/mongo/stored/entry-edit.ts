import type { Document } from 'mongodb';

/**
 * An entry as it is stored, and as a write is about to store it. Numbers keep their types: `Number(…)` gives their
 * value.
 */
export function editOf(stored: Document) {
  /** The fields that change. */
  const fields = new Map<string, unknown>();
  return {
    /** A field after the changes so far. */
    get: (name: string): unknown => (fields.has(name) ? fields.get(name) : stored[name]),
    /** Undefined removes the field. */
    set: (name: string, value: unknown): void => void fields.set(name, value),
    fields: fields as ReadonlyMap<string, unknown>,
    /** The complete document after the changes. */
    document: (): Document => withFields(stored, fields),
  };
}

export type EntryEdit = ReturnType<typeof editOf>;

/** A document with changed fields; undefined removes a field. */
export function withFields(document: Document, fields: ReadonlyMap<string, unknown>): Document {
  const changed = [...new Map([...Object.entries(document), ...fields])];
  return Object.fromEntries(changed.filter(([, value]) => value !== undefined));
}

/** A stored list, without a field where it is empty. */
export const someOf = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

/** The elements of a stored list; a single value as a list. */
export function listIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}
