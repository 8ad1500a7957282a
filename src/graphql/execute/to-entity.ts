type Values = Readonly<Record<string, unknown>>;

/** What a field of type `<Type>Entity` reads from. */
export interface Entity {
  readonly id: unknown;
  readonly attributes: Values;
}

/** A plain entry, e.g. of the entity service, as an entity. */
export const toEntity = (entry: Values): Entity => ({ id: entry['id'], attributes: entry });

/** What a relation of a plain entry leads to, as a response. */
export const toResponse = (related: unknown): { readonly data: unknown } => ({
  data: Array.isArray(related) ? (related as readonly Values[]).map(toEntity) : related && toEntity(related as Values),
});
