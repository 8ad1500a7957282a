/**
 * The bounds of what one request holds: everything of it that has a count. Each is counted before anything is made of
 * what it is about, because that takes memory and time by the count, however short the text is. `docs/limits.md` lists
 * them in this order, and a test sends a request beyond each. Of these, `components` and `jsonValues` are defaults of
 * variables. Bytes are bounded by variables alone, documents of GraphQL by the settings of its plugin.
 */
export const bounds = {
  // The address.
  /** Characters of a request's path and query string. */
  urlCharacters: 16_384,
  /** Parameters of a query string. */
  parameters: 1000,
  /** Names between the commas of one parameter, such as `sort`. */
  names: 1000,

  // A query, in the address or in arguments of GraphQL.
  /** Relations, components and media that one query populates, over all levels. */
  populated: 500,
  /** Levels of a path in `populate`. */
  populateLevels: 200,
  /** Keys of a sort: MongoDB takes at most 32, including the id, and the parent if entries are numbered per parent. */
  sortKeys: 30,
  /** Relations in the keys of a sort: each takes two stages per key whose path contains it. */
  sortRelations: 10,
  /** Values in `filters`, of which an empty condition is one: as many as a query string has parameters. */
  filterValues: 1000,
  /** Values of a list that a query string writes as an object. */
  listValues: 100,
  /** Levels of `filters`: as many brackets as Strapi v4's query parser reads (corpus: 21-query-errors/11-odd). */
  filterLevels: 20,
  /** Relations in `filters` and rules: each is read by a command of its own. */
  filterRelations: 50,
  /**
   * Characters of a text to search for: a pattern of the database has at most 32,764 bytes, and a character at most
   * four of them.
   */
  searchedCharacters: 8000,
  /** Characters of a cursor. */
  cursorCharacters: 4000,
  /** Entries whose schedules are read together. */
  scheduledIds: 100,
  /** Locales in `fallbackLocale`: each takes a read where entries are hidden from the caller. */
  fallbackLocales: 10,
  /** Keys in `groupBy`. */
  groupKeys: 10,
  /** Measures of groups. */
  measures: 20,
  /** Relations in the keys and measures of groups. */
  groupRelations: 10,

  // The data of writes, of all operations of a request together.
  /** Components, at all levels: `COMPONENT_LIMIT`. */
  components: 1000,
  /** Entries that one relation or media field names: each can require a separate write. */
  relatedEntries: 1000,
  /** Names that no attribute has. */
  unknownNames: 10_000,
  /** Nodes in the values of type `blocks`, at all levels. */
  blockNodes: 20_000,
  /** Names and elements of lists in values of type `json`, at all levels: `JSON_LIMIT`. */
  jsonValues: 50_000,
  /** Levels of a value of type `json`. */
  jsonLevels: 100,

  // Bodies that are no data of an entry, such as those of roles and log-ins, several operations, and forms.
  /** Names and elements of lists in a body, at all levels. */
  bodyValues: 10_000,
  /** Languages that a request declares: each is written by itself. */
  locales: 500,
  /** Operations of a batch, whose data counts together. */
  operations: 100,
  /** Folders and files that one request moves or deletes. */
  selectedFiles: 100,
  /**
   * Levels of the variables of GraphQL: the most that `populate` takes in a query string. What reads them is recursive.
   */
  variableLevels: 400,
  /** Fields of a form that are no files. */
  formFields: 100,
  /** Places of files in the variables of a form for GraphQL. */
  filePaths: 100,

  // Headers.
  /** Characters of an `Idempotency-Key`. */
  keyCharacters: 255,
  /** Levels of a body that is sent with one. */
  keyedLevels: 1000,
} satisfies Readonly<Record<string, number>>;
