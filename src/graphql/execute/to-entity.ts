import type { Data } from '../../config/record.js';

/** A plain entry, e.g. of the entity service, as the source object of a field of type `<Type>Entity`. */
export const toEntity = (entry: Data) => ({ id: entry['id'], attributes: entry });

/** The target of a relation of a plain entry, as a response. */
export const toResponse = (related: unknown): { readonly data: unknown } => ({
  data: Array.isArray(related) ? (related as readonly Data[]).map(toEntity) : related && toEntity(related as Data),
});
