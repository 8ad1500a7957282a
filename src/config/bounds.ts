/** The bounds of what one request holds that no variable changes. Each is counted before anything is made of what it is about. */
export const bounds: Readonly<
  Record<'relatedEntries' | 'unknownNames' | 'blockNodes' | 'urlCharacters' | 'populated' | 'operations', number>
> = {
  /** Entries that data names in one relation or media field: each can require a separate write. */
  relatedEntries: 1000,
  /** Names in data that no attribute has. */
  unknownNames: 10_000,
  /** Nodes in the values of type `blocks`, at all levels. */
  blockNodes: 20_000,
  /** Characters of a request's path and query string. */
  urlCharacters: 16_384,
  /** Relations, components and media that one query populates, over all levels. */
  populated: 500,
  /** Operations of a batch, whose data counts together. */
  operations: 100,
};
