import type { ContentTypeDefinition, Defined } from 'content-service/plugin';

/**
 * What an entry, or its working copy, was after a write. Like other types of the service's own it has no routes, no
 * events and no GraphQL.
 */
export const version: Defined<ContentTypeDefinition> = {
  uid: 'admin::entry-version',
  file: 'plugin versions',
  definition: {
    kind: 'collectionType',
    collectionName: 'entry_versions',
    info: { singularName: 'entry-version', pluralName: 'entry-versions', displayName: 'Version' },
    options: { indexes: [{ of: 1, entry: 1, at: -1 }] },
    attributes: {
      /** The uid of its content type. */
      of: { type: 'string', required: true },
      entry: { type: 'integer', required: true },
      /** When it was written. */
      at: { type: 'datetime', required: true },
      /** The id of the user who wrote it; empty: it was no user. */
      writer: { type: 'integer' },
      /** Its `publishedAt`, beside the values: who restores these publishes nothing and takes nothing back. */
      published: { type: 'datetime' },
      /** The attributes that a working copy changes; empty: it is the entry itself. */
      changes: { type: 'json' },
      /** Of a working copy: when its writer began to save it. */
      since: { type: 'datetime' },
      /** Its values as a request writes them, with the ids of components. */
      data: { type: 'json', required: true },
      /** The length of its values as JSON, in bytes. */
      size: { type: 'integer' },
    },
  },
};
