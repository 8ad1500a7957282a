import type { Data } from '../../config/record.js';

/** What a field of type `<Type>Entity` reads from. */
export interface Entity {
  readonly id: unknown;
  readonly attributes: Data;
}

/** A plain entry, e.g. of the entity service, as an entity. */
export const toEntity = (entry: Data): Entity => ({ id: entry['id'], attributes: entry });

/** What a relation of a plain entry leads to, as a response. */
export const toResponse = (related: unknown): { readonly data: unknown } => ({
  data: Array.isArray(related) ? (related as readonly Data[]).map(toEntity) : related && toEntity(related as Data),
});
